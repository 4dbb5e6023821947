// Where takes are kept: a clip, its scripts and a row each for the manifest. A take that is there is not made again.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '../../src/contract/script.ts';
import { type Cast, openRole, type Role } from './cast.ts';
import type { Actor } from './film-attacks.ts';
import type { Sources } from './sources.ts';

/** One line of manifest.csv, but for the file, which the take gives. */
export interface Row {
  readonly label: 'bona_fide' | 'attack';
  /** Species of an attack, kind of bona fide footage. */
  readonly attack: string;
  readonly subject: string;
  /** What the footage is held against; null: passive checks alone. */
  readonly script: Script | null;
  /** Whether it was drawn here, edited here, or is a camera's. */
  readonly made: 'rendered' | 'edited' | 'recoded';
}

const COLUMNS = ['file', 'label', 'attack', 'script', 'subject', 'made'] as const;
type Line = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** Makes takes and remembers them. */
export class Studio {
  readonly #outDir: string;
  readonly root: string;
  readonly cast: Cast;
  readonly sources: Sources;

  constructor(root: string, outDir: string, cast: Cast, sources: Sources) {
    this.root = root;
    this.#outDir = outDir;
    this.cast = cast;
    this.sources = sources;
  }

  /** A person's photographs, opened. */
  open(role: Role): Promise<Actor> {
    return openRole(this.root, role);
  }

  /**
   * Makes one take unless it is there: `film` writes the clip to the path it is given (WebM or MP4 by `extension`) and
   * answers with the rows.
   */
  async take(
    species: string,
    number: number,
    extension: 'webm' | 'mp4',
    film: (path: string, scratch: string) => Promise<Row[]>,
  ): Promise<void> {
    const folder = join(this.#outDir, species);
    const name = String(number).padStart(4, '0');
    const lines = join(folder, `${name}.json`);
    if (existsSync(lines)) return;
    mkdirSync(folder, { recursive: true });
    const scratch = join(folder, `${name}.part`);
    mkdirSync(scratch, { recursive: true });
    const file = `${name}.${extension}`;
    const rows = await film(join(scratch, file), scratch);
    renameSync(join(scratch, file), join(folder, file));
    rmSync(scratch, { recursive: true });
    const written = rows.map((row, i): Line => {
      const script = row.script ? `${name}-${i}.script.json` : '';
      if (row.script) writeFileSync(join(folder, script), JSON.stringify(row.script));
      const inFolder = (path: string) => (path ? `${species}/${path}` : '');
      return { ...row, file: inFolder(file), script: inFolder(script) };
    });
    // Last: where it is, the take is whole.
    writeFileSync(lines, JSON.stringify(written));
  }

  /**
   * Lists every take of the folder, those of earlier runs too: what is held against a script in manifest.csv, what the
   * passive checks alone decide in manifest-passive.csv.
   */
  writeManifests(): void {
    const lines = readdirSync(this.#outDir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) =>
        readdirSync(join(this.#outDir, name))
          .filter((file) => /^\d+\.json$/.test(file))
          .sort()
          .flatMap((file) => JSON.parse(readFileSync(join(this.#outDir, name, file), 'utf8')) as Line[]),
      );
    this.#write(
      'manifest.csv',
      lines.filter(({ script }) => script !== ''),
    );
    this.#write(
      'manifest-passive.csv',
      lines.filter(({ script }) => script === ''),
    );
  }

  #write(name: string, lines: readonly Line[]): void {
    const text = [
      COLUMNS.join(','),
      ...lines.map((line) => COLUMNS.map((column) => quoted(line[column])).join(',')),
    ];
    writeFileSync(join(this.#outDir, name), `${text.join('\n')}\n`);
    process.stderr.write(`${name}: ${lines.length} rows\n`);
  }
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
