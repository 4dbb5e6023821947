// What `likeness bench light` reports about an operator's captures.
import { describe, expect, it } from 'vitest';
import type { JudgedLight } from '../../src/contract/judged-try.ts';
import { type LightRow, lightReport, lightTables } from '../../src/measurement/light-report.ts';

const match = (amplitude: number, p: number) => ({
  ...{ z: 5, delay_ms: 100, p, amplitude, error: 0.001, symbols: 47 },
});
const row = (outcome: string, light: Partial<JudgedLight> | null): LightRow => ({
  passed: true,
  outcome,
  light: light && { required: false, shown: 'shown', match: null, ...light },
});

describe('the report on light', () => {
  const rows = [
    row('passed', { match: match(0.03, 0.0001) }),
    row('passed', { match: match(0.01, 0.001) }),
    row('failed', { match: match(0.001, 0.4) }),
    row('light_unclear', { match: null }),
    row('light_not_shown', { shown: 'switched_off' }),
    row('no_light', null),
  ];

  it('counts what require would have sent back among those that were shown a code', () => {
    const report = lightReport(rows);
    expect(report).toMatchObject({ captures: 6, shown: 4, sentBackIfRequired: 0.5 });
    expect(report.outcomes).toMatchObject({ passed: 2, failed: 1, light_not_shown: 1, no_light: 1 });
    expect(report.swingBelow.find(({ swing }) => swing === 0.02)?.share).toBe(0.5);
    expect(report.rankAtMost.find(({ p }) => p === 0.001)?.share).toBe(0.5);
    expect(report.quantiles.find(({ share }) => share === 0.5)?.swing).toBe(0.01);
  });

  it('reports null where nothing was measured', () => {
    for (const none of [[], rows.slice(4)]) {
      const report = lightReport(none);
      expect(report).toMatchObject({ shown: 0, sentBackIfRequired: null, quantiles: [], rankAtMost: [] });
      expect(JSON.stringify(lightTables(report))).not.toMatch(/NaN|null|undefined/);
    }
  });
});
