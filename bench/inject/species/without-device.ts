// Attacks on a person whose FeatureID is bound to a device that the attacker does not have.
import { TestApi } from '../../../test/support/api.ts';
import { SoftwarePasskey } from '../../../test/support/authenticator.ts';
import { claimsFor, Phone } from '../../../test/support/phone.ts';
import { answerAtOnce, CHALLENGE, takeChallenge } from '../client.ts';
import type { AnswerDevice, ClientAttack, LaboratorySpecies, MakeAgainst } from '../laboratory.ts';

/** Names of the species that are presented so: those that pass most often with two photographs and with one take. */
const PRESENTED: ReadonlySet<string> = new Set(['puppet_100_ms', 'action_library_rest']);
/** The victim is enrolled with the attack's own film, which does not pass each time. */
const MOST_ENROLMENTS = 12;
const REQUIRED = { ...CHALLENGE, device_binding: 'require' };

export function withoutDevice(all: readonly LaboratorySpecies[]): LaboratorySpecies[] {
  return all
    .filter(({ name }) => PRESENTED.has(name))
    .map(({ inTime: _, page: __, ...species }) => ({
      ...species,
      name: `bound_${species.name}`,
      holds: `${species.holds}, but not the device that the FeatureID is bound to`,
      does: `${species.does}, then declines the device's signature, or signs with another passkey`,
      client: { ...species.client!, against: againstBound(species.client!) },
    }));
}

/** Enrols the victim with a device of his own; the attacker then has none or another. */
function againstBound({ film }: ClientAttack): MakeAgainst {
  return async (service, stage, take, seed) => {
    const api = new TestApi(service);
    const phone = new Phone();
    const device: AnswerDevice = (ask, recorded) => phone.answer(ask, recorded);
    const answer = answerAtOnce(stage, { film, leavesOut: 'passive' }, null, device);
    for (let enrolment = 1; enrolment <= MOST_ENROLMENTS; enrolment++) {
      const own = { take, seed: `${seed} enrolled ${enrolment}`, tries: Number.POSITIVE_INFINITY };
      const { result, featid } = await takeChallenge(api, answer, { ...own, challenge: REQUIRED });
      if (result !== 'pass') continue;
      const challenge = { ...REQUIRED, liveness_only: false, compare_to_featids: [featid] };
      return { challenge, device: take % 2 === 0 ? declines : signsAsAnother };
    }
    throw new Error(`the victim was not enrolled in ${MOST_ENROLMENTS} challenges`);
  };
}

const declines: AnswerDevice = () => ({ kind: 'declined' });

/** A signature by the attacker's own passkey in the name of the victim's. */
const signsAsAnother: AnswerDevice = (ask, recorded) => {
  const signed = new SoftwarePasskey().sign(claimsFor(ask, recorded));
  const { id } = ask.known[0]!;
  return { kind: 'signed', signed: { ...signed, id, rawId: id } };
};
