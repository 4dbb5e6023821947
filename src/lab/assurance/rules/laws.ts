// European law: the GDPR, and the AI Act. Notes for the discussion with lawyers, not advice.
import { rulesOf } from './rule.ts';

export const DATA_PROTECTION = rulesOf('GDPR', [
  [
    'Art. 5(1)(b), (c)',
    'purpose limitation and data minimisation',
    'partly',
    'a FeatureID contains no biometric data (docs/template-protection.md), logs and metrics nothing personal; which purpose it serves is yours',
  ],
  [
    'Art. 5(1)(e)',
    'storage limitation',
    'partly',
    'videos, frames and results end by themselves (test/slow/cli/purge.test.ts); FeatureIDs only with FEATID_RETENTION_DAYS (test/featid/retention.test.ts), which is unset by default',
  ],
  [
    'Art. 5(1)(d)',
    'accuracy',
    'partly',
    'sections 2 and 3 say how often it errs; a person decides where it matters: yours',
  ],
  [
    'Art. 9',
    'explicit consent, freely given: with another way',
    'partly',
    'recorded with its text unless require_consent is false, withdrawn by declining (test/challenge/capturing/flow.test.ts); the other way is yours',
  ],
  [
    'Art. 13',
    'information when the data are collected',
    'partly',
    'the privacy screen names account, purpose and retention (test/web/guidance.test.ts), unless require_consent is false; the notice that it links is yours',
  ],
  [
    'Art. 17',
    'erasure',
    'holds',
    'DELETE destroys keys: test/slow/end-to-end/erasure.test.ts, test/slow/end-to-end/erased-files.test.ts',
  ],
  [
    'Art. 22',
    'no decision by a machine alone',
    'partly',
    'the service gives a result; what follows from it, and who can be asked, is yours',
  ],
  [
    'Art. 25',
    'data protection by design and by default',
    'partly',
    'keys per challenge, consent and retention by default: docs/privacy/data-map.md; device_binding and FEATID_RETENTION_DAYS are off by default',
  ],
  [
    'Art. 28, 44',
    'nothing leaves for others',
    'partly',
    'a process sends data only to what was configured (test/slow/end-to-end/nothing-leaves.test.ts); webhooks, an S3 store and a database of others are recipients once you configure them, and contracts with them are yours',
  ],
  ['Art. 30', 'records of processing', 'partly', 'docs/privacy/data-map.md is a start; the record is yours'],
  [
    'Art. 32',
    'security: encryption, restoration, testing',
    'partly',
    'test/keys/account-keys.test.ts, test/slow/storage/restore.test.ts, npm run torture; TLS, backups and access to machines are yours',
  ],
  [
    'Art. 33',
    'notification of a breach within 72 hours',
    'partly',
    'the audit log says who read what (test/console/view-audit.test.ts), docs/operations/incidents.md what to do; notifying is yours',
  ],
  ['Art. 35', 'impact assessment', 'partly', 'yours; docs/privacy/dpia-template.md is a template'],
]);

export const ARTIFICIAL_INTELLIGENCE = rulesOf('EU AI Act', [
  [
    'Annex III 1(a)',
    'verification only, no identification',
    'partly',
    'there is no search; that a challenge does not name FeatureIDs of many people is up to you',
  ],
  [
    'Art. 5(1)(e)',
    'no database of faces from the internet or from cameras',
    'partly',
    'nothing here collects faces; what you send to POST /v1/featids is up to you',
  ],
  [
    'Art. 5(1)(f)',
    'no emotion recognition at work or in education',
    'partly',
    'a network of seven expressions runs on every judged frame with a face. One value is read, happiness: it decides smiles and rest (test/evaluation/liveness/prompt-checks.test.ts), ranks portraits, and likeness evaluate shows it; how much the face smiled at each moment is stored for the console. No emotion is named or returned (test/http/documents/openapi.test.ts). Whether that infers emotions is for your lawyers',
  ],
  [
    'Art. 5(1)(g)',
    'no biometric categorisation',
    'holds',
    'no network of section 1 is trained to tell age, sex or origin, and no message has such a field (test/http/documents/openapi.test.ts)',
  ],
  [
    'Art. 50',
    'transparency',
    'partly',
    'the privacy screen says that a video is taken, and for what (test/web/guidance.test.ts: the purpose); with require_consent false this is up to you',
  ],
]);
