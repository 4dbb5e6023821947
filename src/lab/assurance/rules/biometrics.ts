// Standards for testing against attacks: presented to a camera, and injected in place of one.
import { rulesOf } from './rule.ts';

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
    'holds',
    'npm run bench:pad, likeness bench pad (test/lab/pad.test.ts), npm run bench:inject (test/slow/inject/rows.test.ts); section 2',
  ],
  [
    '',
    'BPCER reported beside APCER at the same setting',
    'holds',
    'the same tables (test/lab/pad.test.ts, test/slow/inject/rows.test.ts): honest people are among the rows of section 2',
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
    'not at hand: every method of section 2 is on a desk computer',
  ],
  [
    '',
    'every method of injection crossed with every instrument',
    'partly',
    'npm run bench:inject lists both and what was not measured (test/slow/inject/rows.test.ts); generated faces of film studios were not at hand',
  ],
  [
    '',
    'honest people measured with the same settings',
    'partly',
    'npm run bench:inject: rendered persons. Its one species of real people, clips of two persons, is asked for other prompts (no targets), and a row of section 2 says if it was presented',
  ],
]);
