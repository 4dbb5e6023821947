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
    `npm run bench:inject lists both and what was not measured (test/slow/inject/rows.test.ts); generated faces of film studios were not at hand. ${UNREAD}`,
  ],
  [
    '',
    'honest people measured with the same settings',
    'partly',
    'npm run bench:inject: rendered persons. Its one species of real people, clips of two persons, is asked for other prompts (no targets), and a row of section 2 says if it was presented',
  ],
]);
