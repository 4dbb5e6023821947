import { describe, expect, it } from 'vitest';
import { createEndpointGate } from '../../src/webhook/endpoint-gate.ts';

describe('the endpoint gate', () => {
  it('gives one endpoint half of the places, and keeps the others for others', () => {
    const gate = createEndpointGate(32);
    const dead = Array.from({ length: 100 }, () => gate.enter('dead')).filter(
      (each) => each.kind === 'admitted',
    );
    expect(dead).toHaveLength(16);
    const fine = gate.enter('fine');
    expect(fine.kind).toBe('admitted');
  });

  it('admits a first call to any endpoint, also when many are slow', () => {
    const gate = createEndpointGate(8);
    for (let index = 0; index < 7; index += 1) gate.enter(`slow ${index % 3}`);
    expect(gate.enter('new').kind).toBe('admitted');
    expect(gate.enter('yet another').kind).toBe('admitted');
  });

  it('puts off within the length of an attempt, spread, and admits again when a call is over', () => {
    const gate = createEndpointGate(2, () => 0.5);
    const first = gate.enter('a');
    const second = gate.enter('a');
    expect(second.kind === 'full' && second.deferMs).toBeGreaterThanOrEqual(100);
    for (let index = 0; index < 1_000; index += 1) gate.enter('a');
    const last = gate.enter('a');
    expect(last.kind === 'full' && last.deferMs).toBe(15_000);
    if (first.kind === 'admitted') first.leave();
    expect(gate.enter('a').kind).toBe('admitted');
  });
});
