// European law: the GDPR, and the AI Act. Notes for the discussion with lawyers, not advice.
import { rulesOf } from './rule.ts';

export const DATA_PROTECTION = rulesOf('GDPR', [
  [
    'Art. 5(1)(a)',
    'lawfulness, fairness and transparency',
    'partly',
    'the privacy screen says that a video is taken, that a computer judges it, and for what (test/web/guidance.test.ts: the purpose), unless require_consent is false; that it errs for some people more often is in docs/privacy/error-rates.md; the legal basis is yours',
  ],
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
    'Art. 5(1)(f)',
    'integrity and confidentiality',
    'partly',
    'what is stored of a person is sealed (test/keys/account-keys.test.ts), and this file has nothing of it (test/cli/assurance.test.ts); TLS, backups and access to machines are yours',
  ],
  [
    'Art. 5(2)',
    'accountability: you can show that all this holds',
    'partly',
    'consent is kept with its text (test/challenge/capturing/flow.test.ts), views are in the audit log (test/console/view-audit.test.ts), and there is this file; showing it is yours',
  ],
  [
    'Art. 9(2)(a), 7',
    'explicit consent: demonstrable, freely given (with another way), withdrawn as easily as given, and the person told so before',
    'partly',
    'recorded with its text unless require_consent is false, withdrawn by declining (test/challenge/capturing/flow.test.ts); after the check only through you (docs/privacy/requests.md), as the privacy screen says. The other way is yours',
  ],
  [
    'Art. 13',
    'information when the data are collected',
    'partly',
    'the privacy screen names account, purpose and retention (test/web/guidance.test.ts), unless require_consent is false; the notice that it links is yours',
  ],
  [
    'Art. 15',
    'access',
    'partly',
    'result, events, consent, video and frame, but not the template: docs/privacy/requests.md; answering is yours',
  ],
  [
    'Art. 16',
    'rectification',
    'partly',
    'a face is measured, nothing is entered about a person, and no result is changed; a wrong reference is erased and made anew: docs/privacy/requests.md. Your own records are yours',
  ],
  [
    'Art. 17',
    'erasure',
    'partly',
    'DELETE destroys keys: test/slow/end-to-end/erasure.test.ts, test/slow/end-to-end/erased-files.test.ts; backups have them until you rotate them: docs/operations/backup-and-restore.md',
  ],
  [
    'Art. 18',
    'restriction: data stored, but not used',
    'does not',
    'nothing marks data so: they are kept and ready for use, or erased. A FeatureID that you no longer name is not compared, but retention still ends what it ends',
  ],
  [
    'Art. 20',
    'portability of what the person provided',
    'partly',
    'while they are kept, the result is JSON, and video and frame can be fetched; the template is not released: docs/privacy/requests.md. Passing them on is yours',
  ],
  [
    'Art. 21',
    'objection, where the basis is a public task or a legitimate interest',
    'partly',
    'erasing and revoking end the processing: docs/privacy/requests.md; weighing an objection is yours',
  ],
  [
    'Art. 22',
    'no decision of legal or similar effect by a machine alone',
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
    'processors under contract; transfers to third countries only under its conditions',
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
    'Art. 33, 34',
    'a breach notified within 72 hours; where the risk is high, to the persons too',
    'partly',
    'the audit log says who read what (test/console/view-audit.test.ts), docs/operations/incidents.md what to do; notifying is yours',
  ],
  ['Art. 35', 'impact assessment', 'partly', 'yours; docs/privacy/dpia-template.md is a template'],
]);

export const ARTIFICIAL_INTELLIGENCE = rulesOf('EU AI Act', [
  [
    'Annex III 1(a)',
    'verification of one person only, which is excepted from this line: by it, Art. 9 to 15, 26 and 27 (high-risk systems) do not apply',
    'partly',
    'there is no search; that a challenge does not name FeatureIDs of many people is up to you, and your use may be high-risk by another line of Annex III: docs/privacy/laws.md',
  ],
  [
    'Art. 4 (as published in 2024)',
    'staff who know what an AI system can do, at whoever provides or uses it',
    'partly',
    'docs/liveness.md, docs/recognition.md and sections 2 and 3 say what it can and cannot do; teaching your staff is yours',
  ],
  [
    'Art. 5(1)(e)',
    'no database of faces by untargeted scraping from the internet or CCTV footage',
    'partly',
    'nothing here collects faces; what you send to POST /v1/featids is up to you',
  ],
  [
    'Art. 5(1)(f), Annex III 1(c)',
    'no emotion recognition at work or in education, save for medical or safety reasons; elsewhere it is high-risk',
    'partly',
    'a network of seven expressions runs on every judged frame with a face. One value is read, happiness: it decides smiles and rest (test/evaluation/liveness/prompt-checks.test.ts), ranks portraits, and likeness evaluate shows it; how much the face smiled at each moment is stored for the console. No emotion is named or returned (test/http/documents/openapi.test.ts). Whether that infers emotions is for your lawyers',
  ],
  [
    'Art. 5(1)(g), Annex III 1(b)',
    'no biometric categorisation by race, opinions, beliefs or sexual life; by other sensitive attributes it is high-risk',
    'holds',
    'no network of section 1 is trained to tell age, sex or origin, and no message has such a field (test/http/documents/openapi.test.ts)',
  ],
  [
    'Art. 50(1), (3)',
    'people told that they interact with an AI system, unless it is obvious, and of any emotion recognition',
    'partly',
    'the privacy screen says that a video is taken, for what (test/web/guidance.test.ts: the purpose), and that a computer judges and compares it; that a network looks for a smile, only the prompt says. With require_consent false this is up to you',
  ],
]);
