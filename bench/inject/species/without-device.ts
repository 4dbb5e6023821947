// Attacks on a person whose FeatureID is bound to a device that the attacker does not have.
import { TestApi } from '../../../test/support/api.ts';
import { SoftwarePasskey } from '../../../test/support/authenticator.ts';
import { claimsFor, Phone } from '../../../test/support/phone.ts';
import { bonaFide } from '../../attacks/film-attacks.ts';
import { recordingOf, shotFor } from '../../attacks/shots.ts';
import { answerAtOnce, CHALLENGE, takeChallenge } from '../client.ts';
import type { AnswerDevice, ClientAttack, LaboratorySpecies, MakeAgainst, Stage } from '../laboratory.ts';
import { filmed, inTurn, open } from './films.ts';
import { renderedTake } from './splices.ts';

/** Of the takes of a library, every third is cut from real footage, whose person cannot be filmed for the enrolment. */
const rendered = (take: number): number => take + 1 + (take >> 1);

/** Which of a species' takes is presented, and the number of its victim among those who smile. */
interface Presented {
  readonly take: (take: number) => number;
  readonly victim: (take: number) => number;
}

const PUPPET: Presented = { take: (take) => take, victim: (take) => take };
const OF_ONE_TAKE: Presented = { take: rendered, victim: rendered };
const OF_CLIPS: Presented = { take: (take) => take, victim: renderedTake };

/**
 * Puppets of two photographs, also where the smile and the turns are left out, libraries of clips, and everything made
 * from one take. The victim of one photograph does not smile and is not enrolled.
 */
const PRESENTED: Readonly<Record<string, Presented>> = {
  puppet_100_ms: PUPPET,
  without_smile_puppet_100_ms: PUPPET,
  without_turns_puppet_100_ms: PUPPET,
  passive_puppet_100_ms: PUPPET,
  action_library_none: OF_CLIPS,
  action_library_morph: OF_CLIPS,
  action_library_rest: OF_ONE_TAKE,
  pose_grid: OF_ONE_TAKE,
  take_cuts: OF_ONE_TAKE,
  warped_footage: OF_ONE_TAKE,
};
/** What the victim leaves out at each enrolment: a rendered person is not always let in. */
const ENROLMENTS = ['passive', undefined, 'passive', undefined] as const;
const DELAY_MS = 100;
const REQUIRED = { ...CHALLENGE, device_binding: 'require' };

export function withoutDevice(all: readonly LaboratorySpecies[]): LaboratorySpecies[] {
  return all.flatMap(({ inTime: _, page: __, ...species }) => {
    const presented = PRESENTED[species.name];
    const { client } = species;
    if (!presented || !client) return [];
    return [
      {
        ...species,
        name: `bound_${species.name}`,
        holds: `${species.holds}, but not the device that the FeatureID is bound to`,
        does: `${species.does}, then declines the device's signature, or signs with another passkey`,
        subject: (stage, take) => species.subject(stage, presented.take(take)),
        client: { ...ofTake(client, presented.take), against: boundFeatid(presented.victim) },
      },
    ];
  });
}

/** The same attack with another take. */
function ofTake(client: ClientAttack, numberOf: (take: number) => number): ClientAttack {
  const { prepare, film } = client;
  return {
    ...client,
    ...(prepare && { prepare: (stage, take) => prepare(stage, numberOf(take)) }),
    film: (stage, call) => film(stage, { ...call, take: numberOf(call.take) }),
  };
}

/** Enrols the victim with a device; the attacker then has none, or another. */
function boundFeatid(victimOf: (take: number) => number): MakeAgainst {
  return async (service, stage, take, seed) => {
    const api = new TestApi(service);
    const phone = new Phone();
    const device: AnswerDevice = (ask, recorded) => phone.answer(ask, recorded);
    for (const [at, leavesOut] of ENROLMENTS.entries()) {
      const attack = { film: filmOfVictim(stage, victimOf(take)), ...(leavesOut && { leavesOut }) };
      const answer = answerAtOnce(stage, attack, { device });
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
