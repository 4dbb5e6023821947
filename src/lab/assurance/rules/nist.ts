// NIST SP 800-63-4 (2025): identity proofing (63A) and authentication (63B), where they speak of faces. Compared with
// the final text of August 2025, sentence by sentence. *Recommended* is its SHOULD; what is not marked is its SHALL. What
// concerns attended sessions, collection on site and 1:N search is left out: Likeness has none of these.
import { rulesOf } from './rule.ts';

export const PROOFING = rulesOf('NIST SP 800-63A-4', [
  [
    '3.11',
    'PAD with an IAPAR below 0.07, tested according to ISO/IEC 30107-3:2023, where samples are collected remotely',
    'does not',
    'no laboratory tested it; our own rates for puppets of two photographs are far above (section 2)',
  ],
  [
    '3.11',
    'recognition and attack detection tested periodically by independent entities, also by demographic group',
    'does not',
    'nobody but us measures',
  ],
  [
    '3.11',
    'FNMR of 1 in 100 or better',
    'does not',
    'with one photograph on either side, as of a document, 2.7 to 9.5 % of LFW at the default target; below 1 % with two frames on each side: docs/recognition.md',
  ],
  [
    '3.11',
    'FMR and FNMR of no demographic group (sex, age, skin tone) more than 25 % worse than those of all',
    'does not',
    'at the cosine at which LFW has an FMR of 1e-4, its people with East Asian names have 39 times that: docs/recognition.md. By sex, age and skin tone it is not shown: docs/privacy/error-rates.md',
  ],
  [
    '3.11',
    'all performance tests conformant to ISO/IEC 19795-1:2021 and 19795-10:2024',
    'does not',
    'their terms, no conformity: docs/privacy/laws.md',
  ],
  [
    '3.11',
    'FMR of 1 in 10,000 or better',
    'partly',
    'RECOGNITION_TARGET_FMR is 1e-4 by default, and photographs of the public figures to whom it was fitted are below it; seven people before a webcam (NUAA) are at 0.99 % with one frame a side, a hundred times that, for one pair of look-alikes: docs/recognition.md',
  ],
  [
    '3.11',
    'a fixed threshold, not one by demographic group',
    'partly',
    'one target for everybody, and no threshold by group; the cosine depends on the number of frames on each side (test/evaluation/recognition/compare.test.ts)',
  ],
  [
    '3.11',
    'performance and demographic impact assessed on your users and their devices',
    'partly',
    'likeness bench recognition (by group) and likeness bench pad measure your files, likeness assurance counts how people fare; doing it is yours',
  ],
  [
    '3.11',
    'results of performance tests and of operational tests made public',
    'partly',
    'ours: docs/recognition.md, docs/liveness.md; publishing yours is up to you',
  ],
  [
    '3.11',
    'a sample that with reasonable assurance is of the applicant, and of nobody else',
    'partly',
    'one person throughout a recording (test/evaluation/liveness/pixel-checks.test.ts); puppets of two photographs usually pass (section 2)',
  ],
  [
    '3.11',
    'explicit, informed consent, recorded with the account',
    'partly',
    'recorded with its text unless require_consent is false (test/challenge/capturing/flow.test.ts); which account it belongs to is known to the client',
  ],
  [
    '3.11',
    'public information on all uses, storage, protection and removal; a public deletion process and retention period',
    'partly',
    'docs/privacy/requests.md and docs/privacy/data-map.md; publishing yours is up to you',
  ],
  [
    '3.11',
    "deletion of all of a person's biometric information on request (recommended)",
    'partly',
    'test/slow/end-to-end/erasure.test.ts, test/slow/end-to-end/erased-files.test.ts; in backups once you rotate them: docs/operations/backup-and-restore.md',
  ],
  [
    '3.14',
    'technical controls that media come from a genuine sensor: virtual cameras, emulators, jailbroken devices',
    'does not',
    'a name that marks a virtual camera is only noted. Prompts that are known only just in time raise the effort (test/slow/end-to-end/known-ahead.test.ts)',
  ],
  [
    '3.14',
    'sensors authenticated, or devices attested (recommended)',
    'does not',
    'no camera is authenticated, and a device is asked for its make only where PASSKEY_ATTESTATION is set (docs/guides/devices.md)',
  ],
  [
    '3.14',
    'media analysed for signatures of generative AI and deepfake tools (recommended)',
    'does not',
    'nothing looks for them',
  ],
  [
    '3.14',
    'media analysed for signs of manipulation and forgery; by passive means too (recommended)',
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
    'the kinds of artefacts that were tested, and their false negative rates, documented and shown to relying parties on request',
    'partly',
    'section 2, for what is not marked stale; what was not measured is a row there',
  ],
  [
    '3.14',
    'authenticated protected channels only',
    'partly',
    'in production BASE_URL must be https; TLS is yours',
  ],
  [
    '3.14',
    'automated decisions augmented by manual review (recommended)',
    'partly',
    'the console shows the video (test/http/console.test.ts), and the checks of every try (test/slow/web/console.test.ts); reviewing is yours',
  ],
  [
    '3.2.1',
    'of all AI (SP 800-63-4, 3.8): its training, data sets, updates and all test results told to whoever relies on it',
    'partly',
    'section 1, section 2 and docs/models.md; who trained the PAD network, and on what, is not known',
  ],
  [
    '2.5.1, 4.2.6.3',
    'comparison of a live sample with the portrait of each genuine piece of evidence, or of its records',
    'partly',
    'POST /v1/featids makes the reference (test/http/pictures.test.ts); whether the evidence is genuine is not checked',
  ],
  [
    '4.3.1',
    'IAL3 only on site, attended by a proofing agent',
    'does not',
    'made for people on their own devices',
  ],
]);

export const AUTHENTICATION = rulesOf('NIST SP 800-63B-4', [
  [
    '3.2.3.2',
    'PAD with an IAPAR below 0.07, tested according to ISO/IEC 30107-3, clause 13 (recommended)',
    'does not',
    'no laboratory tested it; our own rates for puppets of two photographs are far above (section 2)',
  ],
  [
    '3.2.3.1',
    'FMR of 1 in 10,000 or better for all demographic groups (sex and skin tone), tested according to ISO/IEC 19795-1',
    'does not',
    'the default target is 1e-4, but seven people before a webcam (NUAA) are at 0.99 % with one frame a side, a hundred times that, for one pair of look-alikes: docs/recognition.md. By sex and skin tone it is not shown. Measured by us alone',
  ],
  ['3.2.3.3', 'comparison locally rather than centrally (recommended)', 'does not', 'the service compares'],
  [
    '3.2.3.3',
    'if central: the sensor or endpoint authenticated before the sample is captured',
    'does not',
    'with device_binding it is authenticated after the recording, over its very bytes (test/challenge/closing/passkeys.test.ts)',
  ],
  [
    '3.2.3.3',
    'performance and integrity of the sensor and its endpoint determined (recommended)',
    'does not',
    'no camera is authenticated, and a device is asked for its make only where PASSKEY_ATTESTATION is set (docs/guides/devices.md)',
  ],
  [
    '3.2.3',
    'only as part of multi-factor authentication with a physical authenticator',
    'partly',
    'only with device_binding: require; a face alone is one factor (test/challenge/closing/passkeys.test.ts)',
  ],
  [
    '3.2.3',
    'presented and compared for each authentication',
    'partly',
    'each challenge is a recording of its own (test/challenge/closing/earlier-captures.test.ts); an OpenID client can let one check count for further logins (test/oidc/core-3.1.2.1-authentication-request/max-age-and-prompt.test.ts)',
  ],
  [
    '3.2.3',
    'always an alternative that is not biometric',
    'partly',
    'shown where flow_behaviour.alternative_url names one (test/slow/web/capture-ends.test.ts); it is yours',
  ],
  [
    '3.2.3, 3.2.3.3',
    'secured as sensitive personal information; if central: encryption and access controls',
    'partly',
    'templates and recordings are sealed, and templates revocable (test/featid/featids.test.ts, test/keys/account-keys.test.ts, test/slow/end-to-end/erased-files.test.ts); access to machines and keys is yours',
  ],
  [
    '3.2.3.1',
    'FNMR below 5 % (recommended)',
    'partly',
    'on LFW 9.5 % with one frame on each side, below 3 % with more on either: docs/recognition.md',
  ],
  [
    '3.2.3.1',
    'a fixed threshold, not one by demographic group',
    'partly',
    'one target for everybody, and no threshold by group; the cosine depends on the number of frames on each side (test/evaluation/recognition/compare.test.ts)',
  ],
  [
    '3.2.3.2',
    'PAD for faces',
    'partly',
    'in every check (test/evaluation/liveness/fusion.test.ts); puppets of two photographs usually pass (section 2)',
  ],
  [
    '3.2.3.3',
    'at most five consecutive failures, then 30 seconds or more before each attempt; disabled after 50',
    'partly',
    'five in 15 minutes, then pauses of a minute to an hour (test/featid/guessing-limit.test.ts); no final limit',
  ],
  [
    '3.2.3.3',
    'a face that activates an authenticator presented apart from unlocking the device',
    'partly',
    'with device_binding every signature needs user verification (test/passkeys/verify.test.ts); how is up to the device',
  ],
  [
    '3.2.3.3',
    'if central: all transmission over an authenticated protected channel from a sensor that resists replacement',
    'partly',
    'in production BASE_URL must be https; TLS is yours. A browser takes any camera',
  ],
  [
    '3.2.3.4',
    'samples used only to update templates, or with consent for research, and erased immediately afterwards; within a limit of time',
    'partly',
    'no template is updated: a comparison makes a FeatureID of its own. Recordings are kept, sealed, for ASSET_RETENTION_DAYS; with 0, until the challenge closes (test/challenge/erasure.test.ts). What you use them for is yours',
  ],
  [
    '3.2.5, 3.2.7',
    'resistance to phishing and replay',
    'partly',
    'with device_binding: require, by the passkey (test/passkeys/verify.test.ts); never by the face',
  ],
  [
    '3.2.8',
    'explicit intent: with a face, a tap or the like',
    'partly',
    "a tap and the device's own user verification with device_binding: require; otherwise only the tap that starts",
  ],
  [
    'B.3, 2.3.2',
    'passkeys that may be synchronised: user verification inspected, at most AAL2',
    'partly',
    'a signature without user verification is refused (test/passkeys/verify.test.ts), and backed_up tells which may be; which AAL you claim is yours',
  ],
]);
