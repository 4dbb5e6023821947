// Binds this room's services to their parts, for http and the composition root.
import { readAsset } from './asset-links.ts';
import { createChallenge } from './create.ts';
import { createUploadFinisher } from './finish-upload.ts';
import { issueCapture, readState, recordConsent, recordEvent, start } from './flow.ts';
import { readLogo } from './logo.ts';
import { awaitOutcome } from './outcome.ts';
import type { ChallengeParts } from './parts.ts';
import { cancelChallenge, eraseChallenge, listChallenges, readChallenge, readPayloads } from './read.ts';
import { readReceipt } from './receipt.ts';
import { settleInSandbox } from './sandbox.ts';
import type { ChallengeServices } from './services.ts';
import { acceptBytes, announceSlices, commitCapture, readProgress } from './upload.ts';

export function createChallengeServices(parts: ChallengeParts): ChallengeServices {
  const finishUpload = createUploadFinisher(parts);
  return {
    create: (caller, request) => createChallenge(parts, caller, request),
    read: (caller, challengeId) => readChallenge(parts, caller, challengeId),
    receipt: (caller, challengeId) => readReceipt(parts, caller, challengeId),
    isKnown: async (accountId, challengeId) => (await parts.store.find(accountId, challengeId)) !== null,
    list: (accountId, query) => listChallenges(parts, accountId, query),
    cancel: (caller, challengeId) => cancelChallenge(parts, caller, challengeId),
    erase: (caller, challengeId) => eraseChallenge(parts, caller, challengeId),
    state: (link) => readState(parts, link),
    start: (link) => start(parts, link),
    consent: (link, body) => recordConsent(parts, link, body),
    recordEvent: (link, name) => recordEvent(parts, link, name),
    issueCapture: (link, body) => issueCapture(parts, link, body),
    settleInSandbox: (link, outcome) => settleInSandbox(parts, link, outcome),
    announce: (link, captureId, body) => announceSlices(parts, link, captureId, body),
    commit: (link, captureId, body) => commitCapture(parts, finishUpload, link, captureId, body),
    progress: (link, captureId) => readProgress(parts, link, captureId),
    acceptBytes: (link, captureId, offset, read) =>
      acceptBytes(parts, finishUpload, link, captureId, offset, read),
    outcome: (link, waitMs, signal) => awaitOutcome(parts, link, waitMs, signal),
    logo: (link) => readLogo(parts, link),
    readAsset: (assetId, query) => readAsset(parts, assetId, query),
    payloads: (challenges) => readPayloads(parts, challenges),
  };
}
