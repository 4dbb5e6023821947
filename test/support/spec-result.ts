// The result object of docs/interface.md, written out by hand field by field and type by type: deliberately not derived from
// src/contract, so that a mistake there is seen here.
import { expect } from 'vitest';

const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const REGIONS = [
  'forehead',
  'jaw',
  'left_brow',
  'left_cheek',
  'left_eye',
  'middle_forehead',
  'mouth',
  'nose',
  'philtrum',
  'right_brow',
  'right_cheek',
  'right_eye',
];

// biome-ignore lint/suspicious/noExplicitAny: a payload from the wire has no type yet
type Wire = any;

/** Checks everything that every result has, whatever its state. */
export function expectResultShape(result: Wire): void {
  // Besides the specification's fields: the level, and a mark if nobody was really checked.
  const { liveness_level, sandbox, device_result, ...fields } = result;
  expect(['quick', 'standard', 'high']).toContain(liveness_level);
  expect([true, undefined]).toContain(sandbox);
  if (device_result !== null)
    expect(Object.keys(device_result).sort()).toEqual(['backed_up', 'credential_since', 'status']);
  expect(Object.keys(fields).sort()).toEqual(
    [
      'assets_links',
      'challenge_id',
      'closed_reason',
      'consent_given_at',
      'consent_required',
      'created_at',
      'customer_reference',
      'diagnostics',
      'events',
      'expires_at',
      'initiated_at',
      'liveness_result',
      'match_result',
      'overall_result',
      'status',
    ].sort(),
  );
  expect(result.challenge_id).toEqual(expect.any(String));
  expect(result.customer_reference === null || typeof result.customer_reference === 'string').toBe(true);
  for (const field of ['created_at', 'expires_at']) expect(result[field], field).toMatch(UTC_MILLISECONDS);
  for (const field of ['initiated_at', 'consent_given_at']) {
    if (result[field] !== null) expect(result[field], field).toMatch(UTC_MILLISECONDS);
  }
  expect(result.consent_required).toEqual(expect.any(Boolean));
  expect(['pass', 'fail', null]).toContain(result.overall_result);
  for (const event of result.events) {
    const { cause, ...specified } = event;
    expect(Object.keys(specified).sort()).toEqual(['name', 'timestamp']);
    if (cause !== undefined) expect(event.name).toBe('camera_denied');
    expect(event.name).toEqual(expect.any(String));
    expect(event.timestamp).toMatch(UTC_MILLISECONDS);
  }
  expect(result.diagnostics.reasons).toEqual(expect.any(Array));
}

/** Checks a completed result of either mode. */
export function expectCompletedResult(result: Wire, mode: { livenessOnly: boolean }): void {
  expectResultShape(result);
  expect(result.status).toBe('completed');
  expect(result.closed_reason).toBe('completed');
  expect(['pass', 'fail']).toContain(result.overall_result);
  expectLivenessResult(result.liveness_result);
  if (mode.livenessOnly) {
    expect(Object.keys(result.match_result)).toEqual(['liveness_featid']);
    expect(result.match_result.liveness_featid).toBe(result.liveness_result.liveness_featid);
  } else {
    expect(Object.keys(result.match_result)).toEqual(['compared_to_featids']);
    for (const compared of result.match_result.compared_to_featids) expectCompared(compared);
  }
  for (const link of result.assets_links) expectAssetLink(link);
}

/** Checks the result object of an expired challenge. */
export function expectExpiredResult(result: Wire): void {
  expectResultShape(result);
  expect(result).toMatchObject({
    status: 'expired',
    closed_reason: 'expired',
    overall_result: null,
    liveness_result: null,
    match_result: null,
    assets_links: [],
  });
}

function expectLivenessResult(liveness: Wire): void {
  expect(Object.keys(liveness).sort()).toEqual([
    'face',
    'liveness_featid',
    'overall',
    'smile',
    'spoof_result',
  ]);
  for (const check of ['face', 'overall', 'smile', 'spoof_result']) {
    expect(liveness[check], check).toEqual(expect.any(Boolean));
  }
  if (liveness.overall) expect(liveness.liveness_featid).toEqual(expect.any(String));
  else expect(liveness.liveness_featid).toBeNull();
}

function expectCompared(compared: Wire): void {
  expect(Object.keys(compared).sort()).toEqual(['feat_id', 'featid', 'likeness_features', 'result', 'score']);
  expect(compared.featid).toEqual(expect.any(String));
  expect(compared.feat_id).toBe(compared.featid);
  expect(compared.score).toBeGreaterThanOrEqual(0);
  expect(compared.score).toBeLessThanOrEqual(1);
  expect(Math.round(compared.score * 100) / 100).toBe(compared.score);
  expect(compared.result).toBe(compared.score >= 0.5 ? 'pass' : 'fail');
  for (const [region, likeness] of Object.entries(compared.likeness_features)) {
    expect(REGIONS).toContain(region);
    expect(['Pass', 'Fail']).toContain(likeness);
  }
}

function expectAssetLink(link: Wire): void {
  expect(Object.keys(link).sort()).toEqual([
    'asset_type',
    'mime_type',
    'presigned_url',
    'presigned_url_valid_until',
    'size_kb',
  ]);
  expect(['liveness_video', 'best_frame']).toContain(link.asset_type);
  expect(link.mime_type).toMatch(link.asset_type === 'best_frame' ? /^image\/bmp$/ : /^video\/(webm|mp4)$/);
  expect(Number.isInteger(link.size_kb)).toBe(true);
  expect(() => new URL(link.presigned_url)).not.toThrow();
  expect(link.presigned_url_valid_until).toMatch(WITH_OFFSET);
}
