// Draws an assurance report as one HTML file that prints well, from the payload alone: whoever verifies the file draws
// it again and compares.
import { escapeMarkup } from '../../base/escape-markup.ts';
import { htmlTable } from '../html-table.ts';
import type { Interval } from '../intervals.ts';
import {
  AREAS,
  type Assurance,
  type CheckFacts,
  type Judged,
  type MeasuredRow,
  type Own,
  type OwnRow,
  type SentBackRow,
  type Share,
  type Spread,
} from './contents.ts';

/** Before and after the JWS in the file. */
const JWS_OPENS = '<pre id="jws">';
const JWS_CLOSES = '</pre>';

/** The JWS that a page carries; null if it carries none. */
export function jwsOfPage(page: string): string | null {
  const [, after] = page.split(JWS_OPENS);
  return after?.split(JWS_CLOSES)[0]?.trim() ?? null;
}

/** @param jws the signed payload, which the page carries */
export function assurancePage(report: Assurance, jws: string): string {
  const { notice, iss, iat, judged, measured, here, rules } = report;
  const body = [
    `<p><strong>${escapeMarkup(notice)}</strong></p>`,
    '<h1>Assurance report</h1>',
    `<p>${escapeMarkup(`${iss}, ${new Date(iat * 1000).toISOString()}, Likeness ${judged.engine.version}`)}</p>`,
    ...judgedSection(judged),
    ...measuredSection(measured),
    ...hereSection(here),
    '<h2>4. What holds of which rule</h2>',
    '<p>As we read it: no lawyer, laboratory or authority has confirmed a line. Tests and commands are those of the source code.</p>',
    htmlTable([
      ['rule', 'section', 'requirement', 'holds', 'test or command, and what is missing'],
      ...rules.map(({ rule, at, requirement, holds, evidence }) => [rule, at, requirement, holds, evidence]),
    ]),
    '<h2>Signature</h2>',
    '<p>The data of this page, signed. <code>likeness assurance verify FILE --jwks jwks.json</code> checks it.</p>',
    `${JWS_OPENS}${escapeMarkup(jws)}${JWS_CLOSES}`,
  ];
  return page(body.join('\n'));
}

function judgedSection(judged: Judged): string[] {
  const { engine, networks, levels, thresholds, checks, configuration } = judged;
  return [
    '<h2>1. What is judged</h2>',
    htmlTable([
      ['what', 'value'],
      ['version', engine.version],
      ['judgement of a challenge: code, networks, calibration, libraries', judged.judgement],
      ['judgement of a recording: the same', judged.recording_judgement],
      ['target FMR', String(engine.target_fmr)],
      ['levels', levels.join(', ')],
      ...engine.recognisers.map(({ id, calibration_sha256: hash }) => [
        'recogniser',
        `${id}, calibration ${hash ?? 'none'}`,
      ]),
      ['PAD pack', engine.pad ? `${engine.pad.id}, ${engine.pad.sha256}` : 'off'],
      ...Object.entries(engine.runtime),
    ]),
    '<h3>Networks</h3>',
    htmlTable([
      ['network', 'SHA-256', 'licence', 'training data'],
      ...networks.map(({ id, sha256, licence, training_data }) => [id, sha256, licence, training_data]),
    ]),
    '<h3>Thresholds of recognition</h3>',
    htmlTable([
      ['frames: probe, reference', 'cosine'],
      ...thresholds.map(({ probe_frames, reference_frames, cosine }) => [
        `${probe_frames}, ${reference_frames}`,
        cosine.toFixed(4),
      ]),
    ]),
    '<h3>Checks of liveness</h3>',
    checks
      ? `<p>As they come: a PAD pack has its own threshold, or none where it is off; prompts that are off are not judged.</p>${checkTable(checks)}`
      : '<p>docs/liveness.md, which lists them, is not part of this deployment: read it in the source code.</p>',
    '<h3>Configuration in force</h3>',
    '<p>That of the process that wrote this report; other processes of the deployment may have been given another.</p>',
    htmlTable([
      ['variable', 'value', 'from'],
      ...configuration.map(({ name, value, from }) => [name, value ?? '(unset)', from]),
    ]),
  ];
}

const checkTable = (checks: readonly CheckFacts[]): string =>
  htmlTable([
    ['check', 'measures', 'passes', 'decides (–: nothing)'],
    ...checks.map(({ check, measures, passes, decides }) => [check, measures, passes, decides]),
  ]);

function measuredSection(rows: readonly MeasuredRow[]): string[] {
  const stale = rows.filter((row) => row.stale).length;
  const missing = rows.filter((row) => row.rate === null).length;
  return [
    '<h2>2. How it errs, measured by us</h2>',
    `<p>In each area the worst comes first, and last what was not measured or cannot be estimated (${missing} rows).
    ${stale} of ${rows.length} rows are stale: they were measured on another judgement than the one that runs here or with
    other settings, or it was not recorded on which. Estimated: three tries were not made, and each is taken to err like
    any other presentation of the same person in the same condition. Method and instrument are those of CEN/TS 18099;
    species, APCER and BPCER those of ISO/IEC 30107-3. Intervals of 95 %.</p>`,
    ...Object.entries(AREAS).flatMap(([area, heading]) => [
      `<h3>${heading}</h3>`,
      measuredTable(rows.filter((row) => row.area === area)),
    ]),
  ];
}

const COLUMNS: readonly (readonly [heading: string, cell: (row: MeasuredRow) => string])[] = [
  ['method', (row) => row.method ?? NONE],
  ['instrument, species or condition', (row) => row.what],
  ['measure', (row) => row.measure],
  ['n', (row) => number(row.n)],
  ['subjects', (row) => number(row.subjects)],
  ['rate', (row) => percent(row.rate)],
  ['interval', (row) => interval(row.interval)],
  ['seconds', (row) => number(row.seconds)],
  ['published', (row) => row.date ?? NONE],
  ['command', (row) => row.command],
  ['judgement or pack', (row) => row.version ?? NONE],
  ['remarks', (row) => row.note],
];

/** Leaves out columns in which no row has anything. */
function measuredTable(rows: readonly MeasuredRow[]): string {
  const used = COLUMNS.filter(([, cell]) => rows.some((row) => ![NONE, ''].includes(cell(row))));
  return htmlTable([
    used.map(([heading]) => heading),
    ...rows.map((row) => used.map(([, cell]) => cell(row))),
  ]);
}

function hereSection({ since, rates, sent_back, spreads, sealed, not_recorded }: Own): string[] {
  return [
    '<h2>3. How it errs here</h2>',
    `<p>People who recorded themselves, in challenges of this deployment that ended
    ${since ? `since ${escapeMarkup(since)}` : 'and are still kept'}, without sandboxes. Who was an attacker is not
    known: somebody who did not pass may have been refused rightly. In brackets: Wilson intervals of 95 %. Seconds: from
    the tap on start to the result, of those who passed.</p>`,
    rates ? orNobody(rates, rateTable) : TOO_LONG,
    '<h3>Why people were sent back</h3>',
    '<p>At least once for this reason, of all people of the row’s level, browser, week or mode.</p>',
    sent_back ? orNobody(sent_back, sentBackTable) : TOO_LONG,
    '<h3>Light and distance</h3>',
    `<p>Light: mean luma of the face, 0 to 255. Distance: between the eyes, in pixels. Of at most ${spreads.newest}
    recordings of either kind, the newest.</p>`,
    spreads.measured ? spreadTable(spreads.measured) : TOO_LONG,
    '<h3>From sealed results</h3>',
    ...(sealed ? sealedParts(sealed) : [NOT_COUNTED]),
    '<h3>Not recorded</h3>',
    `<ul>${not_recorded.map((what) => `<li>${escapeMarkup(what)}</li>`).join('')}</ul>`,
  ];
}

const spreadTable = (measured: readonly Spread[]): string =>
  htmlTable([
    ['recordings', 'measure', 'n', '10 % below', '25 %', 'median', '75 %', '90 %'],
    ...measured.map(({ recordings, measure, n, quantiles }) => [
      recordings,
      measure,
      String(n),
      ...(quantiles ?? Array<null>(5).fill(null)).map(number),
    ]),
  ]);

const sealedParts = (sealed: NonNullable<Own['sealed']>): string[] => [
  `<p>Reasons of final results and devices are sealed, so they are not counted by level, browser or week, but only over
  the newest ${sealed.newest} judged challenges: ${sealed.opened} results.</p>`,
  orNobody(sealed.reasons, (reasons) =>
    htmlTable([['reason', 'share of these'], ...reasons.map((each) => [each.reason, share(each.share)])]),
  ),
  htmlTable([
    ['device', 'share'],
    ['device_binding asked for', share(sealed.devices)],
    ...sealed.device_statuses.map((each) => [`of these: ${each.status}`, share(each.share)]),
  ]),
];

const rateTable = (rates: readonly OwnRow[]): string =>
  htmlTable([
    [
      'by',
      'name',
      'people',
      'passed at the first try',
      'passed in three tries',
      'sent back and gave up',
      'seconds (median)',
      'seconds (90 %)',
    ],
    ...rates.map((row) => [
      row.by,
      row.name,
      String(row.three_tries.n),
      share(row.first_try),
      share(row.three_tries),
      share(row.gave_up),
      row.median_seconds?.toFixed(1) ?? NONE,
      row.p90_seconds?.toFixed(1) ?? NONE,
    ]),
  ]);

const sentBackTable = (rows: readonly SentBackRow[]): string =>
  htmlTable([
    ['by', 'name', 'reason', 'people'],
    ...rows.map((row) => [row.by, row.name, row.reason, share(row.share)]),
  ]);

/** A heading alone would look like a mistake. */
const orNobody = <Row>(rows: readonly Row[], table: (rows: readonly Row[]) => string): string =>
  rows.length === 0 ? '<p>Nothing to count.</p>' : table(rows);

const NONE = '–';
const NOT_COUNTED = '<p>Not counted: it took longer than a report may.</p>';
const TOO_LONG = '<p>Not counted: it took longer than a report may. A later --since has less to count.</p>';

const number = (value: number | null): string => (value === null ? NONE : String(value));
const percent = (rate: number | null): string => (rate === null ? NONE : `${hundredths(rate)}\u00a0%`);
const interval = (ends: Interval | null): string =>
  ends ? `${hundredths(ends[0])}–${hundredths(ends[1])}\u00a0%` : NONE;
const hundredths = (rate: number): number => Number((rate * 100).toPrecision(3));
const share = ({ count: some, n, rate, interval: ends }: Share): string =>
  rate === null ? 'none' : `${some} of ${n}, ${percent(rate)} (${interval(ends)})`;

function page(body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Assurance report</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 84rem; padding: 0 1rem; color: #111; }
table { border-collapse: collapse; margin: 1rem 0; } thead { display: table-header-group; }
th, td { border: 1px solid #ccc; padding: .2rem .4rem; text-align: left; vertical-align: top; overflow-wrap: break-word; }
tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
pre { font-size: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 60rem) { table { display: block; overflow-x: auto; } }
@page { size: A4 landscape; margin: 12mm; }
@media print { body { font-size: 9px; margin: 0; padding: 0; max-width: none; } table { display: table; } }
</style></head><body>
${body}
</body></html>
`;
}
