// Renders a measurement as one self-contained HTML file: tables, curves, suggested thresholds and worst pairs.
import { writeFile } from 'node:fs/promises';
import { escapeMarkup } from '../../base/escape-markup.ts';
import { htmlTable } from '../html-table.ts';
import { type formatRate, formatThreshold, recognitionTable } from './answer.ts';
import type { ComparedPair } from './compared.ts';
import { thumbnail } from './contact-sheet.ts';
import type { RecognitionMeasurement } from './measure.ts';
import { colourOf, detPlot, type Line, rocPlot } from './plot.ts';

/** Writes the report, readable only by its owner because it shows faces. `root` is the folder of the pairs' files. */
export async function writeReport(
  path: string,
  measured: RecognitionMeasurement,
  root: string,
): Promise<void> {
  await writeFile(path, await renderReport(measured, root), { mode: 0o600 });
}

async function renderReport(measured: RecognitionMeasurement, root: string): Promise<string> {
  const { all, groups, worst, madeAt, worstGroupFactor } = measured;
  const lines: Line[] = [all, ...groups].map(({ group, curve }) => ({ name: group.name, points: curve }));
  const body = [
    `<h1>Recognition, measured</h1>`,
    `<p>Pack <code>${escapeMarkup(measured.pack)}</code>, ${madeAt.toISOString().slice(0, 10)}. Threshold in use: cosine
    ${formatThreshold(measured)}, from ${measured.thresholdOf} for a target FMR of ${measured.targetFmr}.
    In brackets: 95 % intervals from a bootstrap over people; where no error was seen, the Clopper–Pearson interval for
    as many trials as there are different people or pairs of people.</p>`,
    htmlTable(recognitionTable(measured)),
    legend(lines),
    `<div class="plots">${rocPlot(lines)}${detPlot(lines)}</div>`,
    `<h2>Suggested thresholds</h2>`,
    `<p>The highest of the thresholds required by all impostor pairs together at the target, and by each group at
    ${worstGroupFactor} times the target. It is computed with and without the pair of people that each group confuses
    most: the higher one ships where it costs next to no genuine pairs. Where there are too few impostor pairs to count,
    a normal tail is extrapolated; such a threshold is a guess, to be replaced when there are more pairs.</p>`,
    htmlTable(thresholdRows(measured)),
    `<h2>Failures to acquire</h2>`,
    `<p>${measured.failures.length} of ${measured.files} files.</p>`,
    measured.failures.length > 0
      ? htmlTable([
          ['file', 'reason'],
          ...measured.failures.slice(0, 200).map(({ file, reason }) => [file, reason]),
        ])
      : '',
    `<h2>Regions</h2>`,
    htmlTable(regionRows(measured)),
    `<h2>Worst pairs</h2><h3>One person, lowest scores</h3>`,
    await contactSheet(worst.genuine, root),
    `<h3>Two people, highest scores</h3>`,
    await contactSheet(worst.impostor, root),
  ];
  return page(body.join('\n'));
}

function thresholdRows({ calibration }: RecognitionMeasurement): string[][] {
  return [
    [
      'frames: probe, reference',
      'target FMR',
      'cosine',
      'with the worst pair, without it',
      'set by',
      'rates of each group at this threshold',
    ],
    ...(calibration?.thresholds ?? []).flatMap(({ probe_frames, reference_frames, points }) =>
      points.map((point) => [
        `${probe_frames}, ${reference_frames}`,
        point.target_fmr.toExponential(0),
        point.cosine.toFixed(4),
        formatWorstPair(point.worst_pair),
        `${point.set_by}${point.extrapolated ? ', extrapolated' : ''}`,
        point.groups
          .map(({ group, fmr, fnmr }) => `${group}: FMR ${percent(fmr, 3)}, FNMR ${percent(fnmr, 2)}`)
          .join('; '),
      ]),
    ),
  ];
}

const percent = (rate: number | null, digits: number): string =>
  rate === null ? '–' : `${(rate * 100).toFixed(digits)} %`;

function formatWorstPair(
  pair: NonNullable<
    RecognitionMeasurement['calibration']
  >['thresholds'][number]['points'][number]['worst_pair'],
): string {
  if (!pair) return '–';
  const { cosine_with, cosine_without, group, share, ships } = pair;
  const part = `${(share * 100).toFixed(0)} % of the false matches of ${group}`;
  return `${cosine_with.toFixed(4)}, ${cosine_without.toFixed(4)} (${ships} it; ${part})`;
}

function regionRows({ regions }: RecognitionMeasurement): string[][] {
  return [
    [
      'region',
      'AUC',
      'lowest cosine that passes: face matches, does not',
      'held-out people: genuine failing, face matches',
      'strangers passing, face does not match',
      'FMR',
      'pairs',
    ],
    ...Object.entries(regions).map(([name, { auc, point, genuine, impostor }]) => [
      name,
      auc ? formatAuc(auc) : '–',
      point ? `${point.when_passed.toFixed(3)}, ${point.when_failed.toFixed(3)}` : '–',
      ...[point?.held_apart?.genuine_failing, point?.held_apart?.strangers_passing].map((rate) =>
        percent(rate ?? null, 1),
      ),
      percent(point?.held_apart?.fmr ?? null, 1),
      `${genuine} and ${impostor}`,
    ]),
  ];
}

function formatAuc({ value, interval: [low, high] }: Parameters<typeof formatRate>[0] & object): string {
  return `${value.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
}

async function contactSheet(pairs: readonly ComparedPair[], root: string): Promise<string> {
  const cells: string[] = [];
  for (const { pair, score } of pairs) {
    const pictures: string[] = [];
    for (const file of [pair.probe[0]!, pair.reference[0]!]) {
      const source = await thumbnail(root, file);
      pictures.push(source ? `<img src="${source}" alt="">` : `<span class="none">no picture</span>`);
    }
    const names = [pair.probe, pair.reference].map((side) => escapeMarkup(side[0]!)).join('<br>');
    cells.push(
      `<figure>${pictures.join('')}<figcaption>${score.toFixed(3)}<br>${names}</figcaption></figure>`,
    );
  }
  return `<div class="sheet">${cells.join('')}</div>`;
}

function legend(lines: readonly Line[]): string {
  const entries = lines.map(({ name }, i) => `<li style="color:${colourOf(i)}">${escapeMarkup(name)}</li>`);
  return `<ul class="legend">${entries.join('')}</ul>`;
}

function page(body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Recognition, measured</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: #111; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { border: 1px solid #ccc; padding: .25rem .5rem; text-align: left; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; } svg { width: 36rem; max-width: 100%; font: 12px system-ui, sans-serif; }
.legend { display: flex; flex-wrap: wrap; gap: 2rem; font-weight: 600; }
.sheet { display: flex; flex-wrap: wrap; gap: .75rem; } figure { margin: 0; width: 15rem; } figcaption { font-size: 11px; overflow-wrap: anywhere; }
img, .none { width: 7rem; height: 7rem; display: inline-block; background: #eee; } .none { font-size: 11px; }
</style></head><body>
${body}
</body></html>
`;
}
