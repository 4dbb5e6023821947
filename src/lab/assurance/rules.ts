// What holds of which rule, as far as we know: the table of the assurance report. docs/privacy/laws.md has the prose.

export interface Rule {
  readonly rule: string;
  readonly requirement: string;
  readonly holds: 'holds' | 'partly' | 'does not';
  /** The test or command that shows it, or what is missing. */
  readonly evidence: string;
}

const rule = (name: string, rows: readonly (readonly [string, Rule['holds'], string])[]): Rule[] =>
  rows.map(([requirement, holds, evidence]) => ({ rule: name, requirement, holds, evidence }));

/** Those that do not hold first within each rule. */
export const RULES: readonly Rule[] = [
  ...rule('NIST SP 800-63A-4', [
    [
      'PAD with an IAPAR below 0.07, tested according to ISO/IEC 30107-3:2023 (3.11)',
      'does not',
      'no laboratory tested it; our own figures are far above for puppets of photographs: section 2',
    ],
    [
      'similar performance for all demographic groups',
      'does not',
      'not shown: docs/privacy/error-rates.md has what was measured',
    ],
    [
      'comparison with the portrait of genuine evidence',
      'partly',
      'POST /v1/featids makes the reference; whether the evidence is genuine is not checked',
    ],
    ['false-negative rates documented and shown to relying parties (3.14)', 'partly', 'sections 2 and 3'],
  ]),
  ...rule('NIST SP 800-63B-4', [
    ['PAD with an IAPAR below 0.15 (recommended)', 'does not', 'not tested by a laboratory'],
    ['comparison locally rather than centrally (recommended)', 'does not', 'the service compares'],
    [
      'if central: the endpoint is authenticated before the sample is captured',
      'does not',
      'with device_binding, it is authenticated after the recording, over its very bytes',
    ],
    [
      'used only with a physical authenticator',
      'partly',
      'only with device_binding: require; a face alone is one factor (test/challenge/closing/passkeys.test.ts)',
    ],
    [
      'FMR of 1 in 10,000 or better',
      'partly',
      'RECOGNITION_TARGET_FMR, measured by us on few people: `likeness bench recognition`',
    ],
    [
      'at most five consecutive failures, then delays; disabled after 50',
      'partly',
      'five in 15 minutes, then pauses; no final limit',
    ],
    ['presented and compared for each authentication', 'holds', 'each challenge is a recording of its own'],
  ]),
  ...rule('ISO/IEC 30107-3', [
    ['tested by an independent laboratory', 'does not', 'nobody but us has measured it'],
    [
      'APCER by species and BPCER, with the numbers of presentations and subjects',
      'partly',
      '`npm run bench:pad`, `likeness bench pad`: rendered and edited footage, no masks',
    ],
  ]),
  ...rule('CEN/TS 18099', [
    ['evaluated by an independent laboratory', 'does not', 'nobody but us has measured it'],
    [
      'injection by method and instrument',
      'partly',
      '`npm run bench:inject`: its species; instruments that were not at hand are not in it',
    ],
  ]),
  ...rule('GDPR', [
    ['impact assessment (Art. 35)', 'partly', 'yours; docs/privacy/dpia-template.md is a template'],
    [
      'explicit consent (Art. 9), another way',
      'partly',
      'consent is recorded with its text unless require_consent is false; the other way is yours',
    ],
    ['erasure (Art. 17)', 'holds', 'DELETE destroys keys: test/slow/end-to-end/erasure.test.ts'],
    [
      'nothing leaves for others (Art. 28, 44)',
      'holds',
      'a process sends data only to what was configured: test/slow/end-to-end/nothing-leaves.test.ts',
    ],
  ]),
  ...rule('EU AI Act', [
    [
      'verification only, no identification (Annex III 1(a))',
      'partly',
      'there is no search; that a challenge does not name FeatureIDs of many people is up to you',
    ],
    [
      'transparency (Art. 50)',
      'partly',
      'the privacy screen says what is taken; with require_consent false this is up to you',
    ],
    [
      'no emotion recognition (Art. 5(1)(f))',
      'holds',
      'only a requested smile is measured; none is inferred',
    ],
    ['no biometric categorisation (Art. 5(1)(g))', 'holds', 'no trait is inferred'],
  ]),
];
