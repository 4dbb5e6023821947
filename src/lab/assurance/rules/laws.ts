// European law: the GDPR, and the AI Act as it was published in 2024; its amendment of June 2026 (the digital omnibus) is
// not compared. Notes for the discussion with lawyers, not advice.
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
    'a FeatureID contains no biometric data (docs/template-protection.md), metrics nothing personal, and logs no name, face or result, but ids of challenges (docs/privacy/data-map.md); which purpose it serves is yours',
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
    'Art. 6, 9(1), 9(4)',
    'a legal basis; biometric data that identify a person only under an exception of 9(2), and under what your country adds',
    'partly',
    'consent is asked by default; that it is the right basis, or another one, is yours',
  ],
  [
    'Art. 8',
    'consent for a child only by who is responsible for it, where an online service is offered to the child',
    'does not',
    'nothing asks for an age, and no age is estimated; whom you send a link to is yours',
  ],
  [
    'Art. 9(2)(a), 7',
    'explicit consent: demonstrable, freely given (with another way), withdrawn as easily as given, and the person told so before',
    'partly',
    'recorded with its text unless require_consent is false, withdrawn by declining (test/challenge/capturing/flow.test.ts); after the check only through you (docs/privacy/requests.md), as the privacy screen says. The other way is yours',
  ],
  [
    'Art. 12(3)',
    'an answer to a request within a month',
    'partly',
    'every request can be carried out at once: docs/privacy/requests.md; answering is yours',
  ],
  [
    'Art. 13',
    'information when the data are collected',
    'partly',
    'the privacy screen names account, purpose and retention (test/web/guidance.test.ts), unless require_consent is false; the notice that it links is yours',
  ],
  [
    'Art. 14',
    'information where the data come from another source: pictures that you send to POST /v1/featids',
    'does not',
    'nobody sees a page then; telling the person is yours',
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
    'Art. 19',
    'recipients told of an erasure',
    'partly',
    'an erasure cancels what is still to be delivered (docs/privacy/requests.md); receivers of earlier webhooks are told by you, who ask for it',
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
    'a right not to be subject to a decision of legal or similar effect by a machine alone, but by contract, law or explicit consent, with a person who can be asked; on biometric data (4) only by explicit consent or substantial public interest, with safeguards',
    'partly',
    'the service gives a result, consent is asked by default, and the client can offer another way (alternative_url); what follows from a result, and who can be asked, is yours',
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
    'a breach notified without undue delay, within 72 hours of knowing of it where feasible, unless a risk is unlikely, by a processor to its controller; where the risk is high, to the persons too; every breach documented',
    'partly',
    'the audit log says who read what (test/console/view-audit.test.ts), docs/operations/incidents.md what to do; notifying is yours',
  ],
  [
    'Art. 35, 36',
    'impact assessment, and the authority consulted where a high risk remains',
    'partly',
    'yours; docs/privacy/dpia-template.md is a template',
  ],
  [
    'Art. 37(1)(c)',
    'a data protection officer, where special categories are processed on a large scale',
    'does not',
    'yours',
  ],
]);

export const ARTIFICIAL_INTELLIGENCE = rulesOf('EU AI Act (2024)', [
  [
    'Annex III 1(a)',
    'remote identification is high-risk; verification whose sole purpose is to confirm that a person is who they claim to be is excepted from this line',
    'partly',
    'there is no search; that a challenge does not name FeatureIDs of many people is up to you, and another line of Annex III may make your use high-risk (Art. 8 to 27, 43, 47 to 49, 72 and 73 then apply): docs/privacy/laws.md',
  ],
  [
    'Art. 25(1)',
    'whoever changes the purpose of a system so that it becomes high-risk has the duties of its provider',
    'does not',
    'yours',
  ],
  [
    'Art. 4',
    'staff who know what an AI system can do, at whoever provides or uses it',
    'partly',
    'docs/liveness.md, docs/recognition.md and sections 2 and 3 say what it can and cannot do; teaching your staff is yours. The amendment is reported to ask for support instead',
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
    'no biometric categorisation to infer race, political opinions, trade union membership, religious or philosophical beliefs, sex life or sexual orientation; by other sensitive attributes it is high-risk',
    'partly',
    'the output of no network is read as such a trait, and no message has a field for age, sex or origin (test/http/documents/openapi.test.ts); on what the network against presentation attacks was trained is not known (docs/models.md), and networks that you bring are yours',
  ],
  [
    'Art. 5(1)(h)',
    'no real-time remote identification in public places for law enforcement, with exceptions',
    'partly',
    'there is no search, and a person takes part in every check; your use is yours',
  ],
  [
    'Art. 50(1)',
    'the provider makes a system so that people are told that they interact with AI, unless it is obvious',
    'partly',
    'the privacy screen says that a computer judges and compares the video, in 16 languages, before a camera is asked for (test/web/guidance.test.ts). With require_consent false that screen is not shown: telling the person is then yours',
  ],
  [
    'Art. 50(3)',
    'whoever uses emotion recognition or biometric categorisation tells the people exposed to it',
    'partly',
    'that a network looks for a smile, only the prompt says; see Art. 5(1)(f). Yours',
  ],
  [
    'Art. 50(5)',
    'this said clearly, at the first interaction at the latest, and accessibly',
    'partly',
    'the privacy screen is the first one, and has no fault that axe finds (test/slow/web/gallery.test.ts); with require_consent false it is yours',
  ],
]);
