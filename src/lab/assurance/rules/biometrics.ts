// Standards for testing against attacks: presented to a camera, and injected in place of one. Compared with what is
// public of them, their scope; a row of which that says nothing has a note.
import { rulesOf } from './rule.ts';

const UNREAD = 'Not compared with the printed standard, which is not public';

export const PRESENTATION = rulesOf('ISO/IEC 30107-3', [
  ['', 'tested by an independent laboratory', 'does not', 'nobody but us has measured it'],
  [
    '',
    'attack presentations by real instruments before a real camera',
    'does not',
    'rendered and edited footage, and some published recordings of prints and screens; no masks: docs/liveness.md',
  ],
  [
    '',
    'APCER reported by species, never averaged, with the numbers of presentations and subjects',
    'partly',
    `npm run bench:pad, likeness bench pad (test/lab/pad.test.ts): files, nearly all rendered or edited. npm run bench:inject (section 2) counts alike, but what is injected is outside this standard, which is about attacks at the sensor. ${UNREAD}`,
  ],
  [
    '',
    'BPCER reported beside APCER at the same setting',
    'partly',
    `the same tables (test/lab/pad.test.ts, test/slow/inject/rows.test.ts), with the same limits. ${UNREAD}`,
  ],
  [
    '',
    'non-response reported: presentations that get no verdict',
    'partly',
    `those that are sent back have columns of their own (test/lab/pad.test.ts). ${UNREAD}`,
  ],
  [
    '',
    'rates of the whole system, with its comparison, told apart (IAPAR)',
    'does not',
    `the species named bound_ are of the whole system and stand in the column of APCER. ${UNREAD}`,
  ],
  [
    '',
    'bona fide presentations of real people',
    'partly',
    'few people, before webcams; most presentations of bench:inject are of rendered persons',
  ],
]);

export const INJECTION = rulesOf('CEN/TS 18099', [
  ['', 'evaluated by an independent laboratory', 'does not', 'nobody but us has measured it'],
  [
    '',
    'injection on phones: hooked apps, emulators, modified systems',
    'does not',
    `not at hand: every method of section 2 is on a desk computer. ${UNREAD}`,
  ],
  [
    '',
    'every method of injection crossed with every instrument',
    'partly',
    `npm run bench:inject crosses each instrument with the methods that are built for it, and says what was not measured (test/slow/inject/rows.test.ts); networks that generate faces, and puppets of film studios, were not at hand. ${UNREAD}`,
  ],
  [
    '',
    'instruments that are rejected for their quality alone are not counted as detected',
    'does not',
    `a recording that is sent back for its quality, such as one without colour, counts as resisted: reasons are in the tables of npm run bench:inject. ${UNREAD}`,
  ],
  [
    '',
    'a test plan, and enrolment attacked as well as verification',
    'partly',
    `bench/inject is the plan, and nearly every species enrols; those named bound_ verify. ${UNREAD}`,
  ],
  [
    '',
    'honest people measured with the same settings',
    'partly',
    'npm run bench:inject: rendered persons. Its one species of real people, clips of two persons, is asked for other prompts (no targets), and a row of section 2 says if it was presented',
  ],
]);
