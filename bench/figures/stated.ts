// The figures that documents state: each is read from the file that it comes from and stands between markers,
// <!--NAME-->…<!--/-->.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const projectRoot = resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');

/** Lines of the table below a heading of a report, by the names of their columns. @throws Error if there are none */
function tableOf(report: string, title: string): Record<string, string>[] {
  const [, section = ''] = read(report).split(`\n## ${title}\n`);
  const [head, , ...lines] = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
  if (!head || lines.length === 0) throw new Error(`${report} has no table ${title}`);
  // Of columns with one name, the first counts.
  return lines.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at]!]).reverse()));
}

/** Fewer presentations of a species say too little to be stated. */
const ENOUGH = 30;

/** Rows of the species whose names match. @throws Error if none was measured often enough */
function attacked(names: RegExp): Record<string, string>[] {
  const rows = tableOf('bench/RESULTS-INJECT.md', 'Attacks').filter(
    ({ species, n }) => names.test(species!) && Number(n) >= ENOUGH,
  );
  if (rows.length === 0) throw new Error(`no species ${names} in bench/RESULTS-INJECT.md`);
  return rows;
}

/** How many of `n` a published share is. */
const acceptedOf = (n: string, share: string): number => (Number(n) * Number.parseFloat(share)) / 100;

/** What passed of these species together. */
function attacks(names: RegExp): Record<'passed' | 'challenges' | 'species', string> {
  const rows = attacked(names);
  const numbers = rows.map((row) => Number(row.n));
  const n = numbers.reduce((sum, each) => sum + each, 0);
  const accepted = rows.reduce((sum, row) => sum + acceptedOf(row.n!, row.APCER!), 0);
  return {
    passed: `${Math.round(accepted) || 'none'} of ${n}`,
    challenges: span(numbers),
    species: String(rows.length),
  };
}

/** The share of one species that passed, with its interval. */
function share(name: RegExp): string {
  const [row] = attacked(name);
  return `${row!.APCER} (${row!['95 %']}, n = ${row!.n})`;
}

/** How many of a species' files passed against their scripts. @throws Error if there is no such row */
function films(species: string): string {
  const row = tableOf('bench/RESULTS-PAD.md', 'Judged against a script').find(
    ({ presentations }) => presentations === species,
  );
  if (!row) throw new Error(`no species ${species} in bench/RESULTS-PAD.md`);
  return `${Math.round(acceptedOf(row.n!, row['APCER / BPCER']!))} of ${row.n}`;
}

function span(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(0));
  return low === high ? low! : `${low} to ${high}`;
}

/** Lines of code: neither blank nor comment. */
const linesOf = (file: string): string =>
  String(
    read(file)
      .replace(/\/\*.*?\*\//gs, '')
      .split('\n')
      .filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length,
  );

type Figures = Readonly<Record<string, string>>;

function ofReadme(): Figures {
  const all = attacks(/./);
  return {
    'attack-species': all.species,
    'attack-challenges': all.challenges,
    puppets: attacks(/^puppet_/).passed,
    'morphed-libraries': attacks(/^action_library_morph$/).passed,
    'cut-libraries': attacks(/^action_library_none$/).passed,
    'rest-libraries': attacks(/^searching_action_library_rest$/).passed,
    'pose-grids': attacks(/^searching_pose_grid$/).passed,
    'warped-footage': attacks(/^searching_warped_footage$/).passed,
    'warped-photographs': attacks(/^warped_photo_/).passed,
    'live-swaps': attacks(/^searching_live_swap$/).passed,
    'live-swaps-real': films('live_swap_real'),
    cuts: attacks(/^searching_take_cuts$/).passed,
    'best-of-six': attacks(/^best_of_six$/).passed,
    'easy-links': attacks(/^drawn_until_easy$/).passed,
    'old-recordings': attacks(/^old_recording$/).passed,
    'without-smile': attacks(/^without_smile_warped_photo_/).passed,
    'without-smile-puppets': attacks(/^without_smile_puppet_/).passed,
    'without-turns-puppets': attacks(/^without_turns_puppet_/).passed,
    passive: attacks(/^passive_old_recording$/).passed,
    'passive-puppets': attacks(/^passive_puppet_/).passed,
    ...Object.fromEntries(
      ['rest', 'component', 'login'].map((name) => [`lines-${name}`, linesOf(`examples/step-up/${name}.js`)]),
    ),
  };
}

const ofLaws = (): Figures => ({
  puppets: share(/^puppet_/),
  'warped-photographs': share(/^warped_photo_/),
});

/** Every figure of a document by its name, by the document's path. */
const STATED: Readonly<Record<string, () => Figures>> = {
  'README.md': ofReadme,
  'docs/privacy/laws.md': ofLaws,
};

/** Paths of the documents that state figures. */
export const DOCUMENTS: readonly string[] = Object.keys(STATED);

/**
 * The text of such a document with every figure brought up to date. @throws Error if it lacks one, or has a marker
 * without a figure
 */
export function withFigures(document: string, text: string): string {
  const left = new Map(Object.entries(STATED[document]!()));
  const written = text.replace(/<!--([a-z-]+)-->.*?<!--\/-->/gs, (_all, name: string) => {
    const figure = left.get(name);
    if (figure === undefined) throw new Error(`no figure ${name}, or it is stated twice`);
    left.delete(name);
    return `<!--${name}-->${figure}<!--/-->`;
  });
  if (left.size > 0) throw new Error(`not stated: ${[...left.keys()].join(', ')}`);
  return written;
}
