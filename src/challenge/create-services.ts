// Binds this room's services to their parts, for http and the composition root.

import { createUploadFinisher } from './capturing/finish-upload.ts';
import { issueCapture, readState, recordConsent, recordEvent, start, tryWay } from './capturing/flow.ts';
import { readLogo } from './capturing/logo.ts';
import { awaitOutcome } from './capturing/outcome.ts';
import { answerPasskey } from './capturing/passkey-answer.ts';
import { acceptBytes, announceSlices, commitCapture, readProgress } from './capturing/upload.ts';
import { settleInSandbox } from './closing/sandbox.ts';
import { createChallenge } from './creating/create.ts';
import type { ChallengeParts } from './parts.ts';
import { readAsset } from './reading/asset-links.ts';
import {
  cancelChallenge,
  eraseChallenge,
  listChallenges,
  readChallenge,
  readPayloads,
} from './reading/read.ts';
import { readReceipt } from './reading/receipt.ts';
import type { ChallengeServices } from './services.ts';

export function createChallengeServices(parts: ChallengeParts): ChallengeServices {
  const finishUpload = createUploadFinisher(parts);
  return {
    create: (caller, request) => createChallenge(parts, caller, request),
    read: (caller, challengeId) => readChallenge(parts, caller, challengeId),
    receipt: (caller, challengeId) => readReceipt(parts, caller, challengeId),
    isKnown: async (accountId, challengeId) => (await parts.store.find(accountId, challengeId)) !== null,
    list: (caller, query) => listChallenges(parts, caller, query),
    cancel: (caller, challengeId) => cancelChallenge(parts, caller, challengeId),
    erase: (caller, challengeId) => eraseChallenge(parts, caller, challengeId),
    state: (link) => readState(parts, link),
    start: (link) => start(parts, link),
    consent: (link, body) => recordConsent(parts, link, body),
    recordEvent: (link, event) => recordEvent(parts, link, event),
    tryWay: (link, read) => tryWay(parts, link, read),
    issueCapture: (link, body) => issueCapture(parts, link, body),
    settleInSandbox: (link, outcome) => settleInSandbox(parts, link, outcome),
    announce: (link, captureId, body) => announceSlices(parts, link, captureId, body),
    commit: (link, captureId, body) => commitCapture(parts, finishUpload, link, captureId, body),
    answerPasskey: (link, captureId, answer) => answerPasskey(parts, finishUpload, link, captureId, answer),
    progress: (link, captureId) => readProgress(parts, link, captureId),
    acceptBytes: (link, captureId, offset, read) =>
      acceptBytes(parts, finishUpload, link, captureId, offset, read),
    outcome: (link, waitMs, signal) => awaitOutcome(parts, link, waitMs, signal),
    logo: (link) => readLogo(parts, link),
    readAsset: (assetId, query) => readAsset(parts, assetId, query),
    payloads: (challenges) => readPayloads(parts, challenges),
  };
}
