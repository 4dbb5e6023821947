// The twelve likeness regions drawn on a face; the more alike a region, the stronger its colour.
import { Group, Stack, Text } from '@mantine/core';
import type { ConsoleComparison } from '../../../src/contract/console.ts';
import { REGION_NAMES, type RegionName } from '../../../src/contract/regions.ts';
import { DataTable } from './data-table.tsx';
import { wordsOf } from './words.ts';

/** Outlines in a box of 200 × 260. Left is the person's own left: on the right for the viewer. */
const SHAPES: Readonly<Record<RegionName, string>> = {
  forehead: 'M36 78 Q40 26 100 22 Q160 26 164 78 L136 78 L136 44 L64 44 L64 78 Z',
  middle_forehead: 'M66 46 H134 V78 H66 Z',
  right_brow: 'M42 84 Q66 74 90 84 L90 93 Q66 84 42 94 Z',
  left_brow: 'M110 84 Q134 74 158 84 L158 94 Q134 84 110 93 Z',
  right_eye: 'M44 106 Q66 94 88 106 Q66 118 44 106 Z',
  left_eye: 'M112 106 Q134 94 156 106 Q134 118 112 106 Z',
  nose: 'M94 98 H106 L116 148 Q100 160 84 148 Z',
  right_cheek: 'M34 122 Q58 120 78 130 L76 168 Q54 182 44 168 Z',
  left_cheek: 'M166 122 Q142 120 122 130 L124 168 Q146 182 156 168 Z',
  philtrum: 'M90 160 H110 V172 H90 Z',
  mouth: 'M70 184 Q100 170 130 184 Q100 206 70 184 Z',
  jaw: 'M46 184 Q58 238 100 244 Q142 238 154 184 L136 194 Q100 224 64 194 Z',
};

const LEGEND =
  '0 (faint): 5 % of comparisons of the same person score lower. ' +
  '1 (full): 5 % of comparisons of different people score as high.';

/** A region's opacity, in proportion to how alike it is; never zero, so that the region stays visible. */
const shadeOf = (strength: number): string => (0.08 + 0.92 * strength).toFixed(2);

/**
 * How alike each region is, as a shade. Not a verdict: only the whole face gets one. The list has the same in numbers,
 * and what the client was told.
 */
export function FaceMap({
  strengths,
  told,
}: {
  strengths: ConsoleComparison['region_strengths'];
  told: ConsoleComparison['likeness_features'];
}) {
  const of = (name: RegionName) => strengths?.[name];
  const numberOf = (name: RegionName) => of(name)?.toFixed(2) ?? (strengths ? 'not seen' : '–');
  return (
    <Group align="flex-start" gap="xl">
      <Stack gap="xs" w="12rem">
        <svg
          viewBox="0 0 200 260"
          role="img"
          aria-label="Similarity of the face's regions; the table beside it has the same figures"
        >
          <path
            fill="var(--mantine-color-default)"
            stroke="var(--mantine-color-default-border)"
            strokeWidth={2}
            d="M28 96 Q26 18 100 14 Q174 18 172 96 Q174 250 100 254 Q26 250 28 96 Z"
          />
          {REGION_NAMES.map((name) => (
            <Region key={name} name={name} strength={of(name)} text={numberOf(name)} />
          ))}
        </svg>
        <Text size="xs" c="dimmed">
          {strengths ? LEGEND : 'Judged before strengths were stored.'}
        </Text>
      </Stack>
      <DataTable
        name="Regions of the face"
        rows={REGION_NAMES}
        idOf={(name) => name}
        empty="No region."
        columns={[
          { title: 'Region', cell: wordsOf },
          { title: 'Strength', cell: numberOf },
          { title: 'Client was told', cell: (name) => told[name] ?? '–' },
        ]}
      />
    </Group>
  );
}

function Region(props: { name: RegionName; strength: number | undefined; text: string }) {
  const { name, strength, text } = props;
  const look =
    strength === undefined
      ? { fill: 'none', strokeDasharray: '3 3' }
      : { fill: 'var(--mantine-color-indigo-6)', fillOpacity: shadeOf(strength) };
  return (
    <path {...look} stroke="var(--mantine-color-dimmed)" d={SHAPES[name]}>
      <title>{`${wordsOf(name)}: ${text}`}</title>
    </path>
  );
}
