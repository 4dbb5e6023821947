// Attacks on a person whose FeatureID is bound to a device that the attacker does not have.
import { TestApi } from '../../../test/support/api.ts';
import { SoftwarePasskey } from '../../../test/support/authenticator.ts';
import { claimsFor, Phone } from '../../../test/support/phone.ts';
import { bonaFide } from '../../attacks/film-attacks.ts';
import { recordingOf, shotFor } from '../../attacks/shots.ts';
import { answerAtOnce, CHALLENGE, takeChallenge } from '../client.ts';
import type { AnswerDevice, ClientAttack, LaboratorySpecies, MakeAgainst, Stage } from '../laboratory.ts';
import { filmed, inTurn, open } from './films.ts';

/** Of the takes of a library, every third is cut from real footage, whose person cannot be filmed for the enrolment. */
const rendered = (take: number): number => take + 1 + (take >> 1);

/**
 * Puppets of two photographs, also where the smile and the turns are left out, and everything made from one take; and
 * which of their takes are presented. The victim of one photograph does not smile and is not enrolled.
 */
const PRESENTED: Readonly<Record<string, (take: number) => number>> = {
  puppet_100_ms: (take) => take,
  passive_puppet_100_ms: (take) => take,
  action_library_rest: rendered,
  pose_grid: rendered,
  take_cuts: rendered,
  warped_footage: rendered,
};
/** What the victim leaves out at each enrolment: a rendered person is not always let in. */
const ENROLMENTS = ['passive', undefined, 'passive', undefined] as const;
const DELAY_MS = 100;
const REQUIRED = { ...CHALLENGE, device_binding: 'require' };

export function withoutDevice(all: readonly LaboratorySpecies[]): LaboratorySpecies[] {
  return all.flatMap(({ inTime: _, page: __, ...species }) => {
    const numberOf = PRESENTED[species.name];
    const { client } = species;
    if (!numberOf || !client) return [];
    return [
      {
        ...species,
        name: `bound_${species.name}`,
        holds: `${species.holds}, but not the device that the FeatureID is bound to`,
        does: `${species.does}, then declines the device's signature, or signs with another passkey`,
        subject: (stage, take) => species.subject(stage, numberOf(take)),
        client: { ...ofTake(client, numberOf), against: boundFeatid(numberOf) },
      },
    ];
  });
}

/** The same attack with another take. */
function ofTake({ prepare, film }: ClientAttack, numberOf: (take: number) => number): ClientAttack {
  return {
    ...(prepare && { prepare: (stage, take) => prepare(stage, numberOf(take)) }),
    film: (stage, call) => film(stage, { ...call, take: numberOf(call.take) }),
  };
}

/** Enrols the victim with a device; the attacker then has none, or another. */
function boundFeatid(numberOf: (take: number) => number): MakeAgainst {
  return async (service, stage, take, seed) => {
    const api = new TestApi(service);
    const phone = new Phone();
    const device: AnswerDevice = (ask, recorded) => phone.answer(ask, recorded);
    for (const [at, leavesOut] of ENROLMENTS.entries()) {
      const attack = { film: filmOfVictim(stage, numberOf(take)), ...(leavesOut && { leavesOut }) };
      const answer = answerAtOnce(stage, attack, null, device);
      const own = { take, seed: `${seed} enrolled ${at}`, tries: Number.POSITIVE_INFINITY };
      const { result, featid } = await takeChallenge(api, answer, { ...own, challenge: REQUIRED });
      if (result !== 'pass') continue;
      const challenge = { ...REQUIRED, liveness_only: false, compare_to_featids: [featid] };
      return { challenge, device: take % 2 === 0 ? declines : signsAsAnother };
    }
    throw new Error(`the victim was not enrolled in ${ENROLMENTS.length} challenges`);
  };
}

const filmOfVictim =
  (stage: Stage, number: number): ClientAttack['film'] =>
  async (_, call) => {
    const victim = await open(stage, inTurn(stage.cast.smiling, number));
    const shot = shotFor(call.script, call.chance, { delayMs: DELAY_MS });
    return filmed(call, recordingOf(shot), bonaFide(victim, shot), shot.script);
  };

const declines: AnswerDevice = () => ({ kind: 'declined' });

/** A signature by the attacker's own passkey in the name of the victim's. */
const signsAsAnother: AnswerDevice = (ask, recorded) => {
  const signed = new SoftwarePasskey().sign(claimsFor(ask, recorded));
  const { id } = ask.known[0]!;
  return { kind: 'signed', signed: { ...signed, id, rawId: id } };
};
