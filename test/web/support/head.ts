// What guidance sees of a head that looks in a direction, for tests without pixels.
import { upperFaceOf } from '../../../src/contract/head-direction.ts';
import type { Direction } from '../../../src/contract/target.ts';
import type { SeenFace } from '../../../web/capture/guidance/hint.ts';
import { meshTowards } from '../../support/turned-mesh.ts';

export function seenFace(
  measures: SeenFace['measures'],
  direction: Direction = { x: 0, y: 0 },
  rollDeg = 0,
): SeenFace {
  const box = { x: 220, y: 140, width: 200, height: 200 };
  const upperFace = upperFaceOf(meshTowards(direction, (rollDeg * Math.PI) / 180));
  return { ...box, yaw: 0, pitch: 0, lowerFaceShift: 0, measures, upperFace };
}
