// NIST SP 800-63-4 (2025): identity proofing (63A) and authentication (63B), where they speak of faces.
import { rulesOf } from './rule.ts';

export const PROOFING = rulesOf('NIST SP 800-63A-4', [
  [
    '3.11',
    'PAD with an IAPAR below 0.07, tested according to ISO/IEC 30107-3:2023, where samples are collected remotely',
    'does not',
    'no laboratory tested it; our own rates for puppets of two photographs are far above (section 2)',
  ],
  ['3.11', 'algorithms tested periodically by independent entities', 'does not', 'nobody but us measures'],
  [
    '3.11',
    'FNMR of 1 in 100 or better',
    'does not',
    'single photographs are above it at an FMR of 1e-4, two frames on each side below: docs/recognition.md',
  ],
  [
    '3.11',
    'similar performance for applicants of all demographic groups',
    'does not',
    'not shown: docs/privacy/error-rates.md has what was measured',
  ],
  [
    '3.11',
    'FMR of 1 in 10,000 or better',
    'partly',
    'RECOGNITION_TARGET_FMR is 1e-4 by default, and photographs of the public figures to whom it was fitted are below it; seven people before a webcam (NUAA) are at 0.99 % with one frame a side, a hundred times that, for one pair of look-alikes: docs/recognition.md',
  ],
  [
    '3.11',
    'explicit consent before collection, recorded with the account',
    'partly',
    'recorded with its text unless require_consent is false (test/challenge/capturing/flow.test.ts); which account it belongs to is known to the client',
  ],
  [
    '3.11',
    'a public deletion process and retention period',
    'partly',
    'docs/privacy/requests.md and docs/privacy/data-map.md; publishing yours is up to you',
  ],
  [
    '3.11',
    "deletion of all of a person's biometric information on request",
    'holds',
    'test/slow/end-to-end/erasure.test.ts, test/slow/end-to-end/erased-files.test.ts',
  ],
  [
    '3.14',
    'technical controls that media come from a genuine sensor: virtual cameras, emulators and injection',
    'does not',
    'no camera is authenticated, and a name that marks a virtual camera is only noted. Prompts that are known only just in time raise the effort (test/slow/end-to-end/known-ahead.test.ts)',
  ],
  [
    '3.14',
    'media analysed for signs of manipulation and forgery',
    'partly',
    'cuts, loops, frozen and earlier footage, another person (test/evaluation/liveness/seams.test.ts, test/evaluation/liveness/pixel-checks.test.ts, test/challenge/closing/earlier-captures.test.ts); puppets of two photographs usually pass (section 2)',
  ],
  [
    '3.14',
    'the analysis tested on attack artefacts and on genuine media: expected false positives and false negatives',
    'partly',
    'npm run bench:inject, npm run bench:pad: rendered and edited footage, few people, no masks',
  ],
  [
    '3.14',
    'the kinds of artefacts that were tested, and their false negative rates, documented and shown to relying parties',
    'partly',
    'section 2, for what is not marked stale; what was not measured is a row there',
  ],
  [
    '3.14',
    'automated decisions supported by manual review (recommended)',
    'partly',
    'the console shows the video (test/http/console.test.ts), and the checks of every try (test/slow/web/console.test.ts); reviewing is yours',
  ],
  [
    '2.5.1',
    'comparison with the portrait of genuine evidence',
    'partly',
    'POST /v1/featids makes the reference (test/http/pictures.test.ts); whether the evidence is genuine is not checked',
  ],
]);

export const AUTHENTICATION = rulesOf('NIST SP 800-63B-4', [
  [
    '3.2.3',
    'PAD with an IAPAR below 0.15 (recommended)',
    'does not',
    'not tested by a laboratory; section 2',
  ],
  ['3.2.3', 'comparison locally rather than centrally (recommended)', 'does not', 'the service compares'],
  [
    '3.2.3',
    'if central: the sensor or endpoint authenticated before the sample is captured',
    'does not',
    'with device_binding it is authenticated after the recording, over its very bytes (test/challenge/closing/passkeys.test.ts)',
  ],
  [
    '3.2.3',
    'similar performance for all demographic groups',
    'does not',
    'not shown: docs/privacy/error-rates.md has what was measured',
  ],
  [
    '3.2.3',
    'only as part of multi-factor authentication with a physical authenticator',
    'partly',
    'only with device_binding: require; a face alone is one factor (test/challenge/closing/passkeys.test.ts)',
  ],
  [
    '3.2.3',
    'FMR of 1 in 10,000 or better, tested according to ISO/IEC 19795-1',
    'partly',
    'the default target is 1e-4, but seven people before a webcam (NUAA) are at 0.99 % with one frame a side, a hundred times that, for one pair of look-alikes: docs/recognition.md. Measured by us alone',
  ],
  [
    '3.2.3',
    'at most five consecutive failures, then delays; disabled after 50',
    'partly',
    'five in 15 minutes, then pauses of at most an hour (test/featid/guessing-limit.test.ts); no final limit',
  ],
  [
    '3.2.3',
    'an alternative that is not biometric',
    'partly',
    'shown where flow_behaviour.alternative_url names one (test/slow/web/capture-ends.test.ts); it is yours',
  ],
  [
    '3.2.3',
    'if central: templates protected, and revocation',
    'holds',
    'sealed under a key that only the client holds, and revocable: test/featid/featids.test.ts, test/slow/end-to-end/erased-files.test.ts',
  ],
  [
    '3.2.3',
    'samples erased once they are no longer needed',
    'partly',
    'recordings are kept, sealed, for ASSET_RETENTION_DAYS; with 0, until the challenge closes (test/challenge/erasure.test.ts)',
  ],
  [
    '3.2.5, 3.2.7',
    'resistance to phishing and replay',
    'partly',
    'with device_binding: require, by the passkey (test/passkeys/verify.test.ts); never by the face',
  ],
  [
    '3.2.8',
    'explicit intent',
    'partly',
    "a tap and the device's own user verification with device_binding: require; otherwise only the tap that starts",
  ],
]);
