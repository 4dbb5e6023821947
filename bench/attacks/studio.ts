// Stores takes: a clip, its scripts and a manifest row for each. An existing take is not made again.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AccessibleWay } from '../../src/contract/accessible-way.ts';
import type { LivenessLevel } from '../../src/contract/liveness-level.ts';
import type { DrawnScript, Prompt, Script } from '../../src/contract/script.ts';
import type { ObservedFace } from '../../src/evaluation/face/observation.ts';
import { trackFaces } from '../../src/evaluation/face/track.ts';
import type { Models } from '../../src/models/load.ts';
import { type Cast, openRole, type Role } from './cast.ts';
import { readPictures } from './edit-attacks.ts';
import type { Actor } from './film-attacks.ts';
import type { Chance } from './random.ts';
import type { Sources } from './sources.ts';

/** One line of manifest.csv, except for the file, which the take adds. */
export interface Row {
  readonly label: 'bona_fide' | 'attack';
  /** Attack species, or kind of bona fide footage. */
  readonly attack: string;
  readonly subject: string;
  /** The script that the footage is judged against; null: only the passive checks. */
  readonly script: Script | null;
  /**
   * How the footage was made: rendered here, edited here, recoded from bona fide footage, or an attack filmed by a
   * camera.
   */
  readonly made: 'rendered' | 'edited' | 'recoded' | 'filmed';
}

/** What a frame shows of the face (src/evaluation/face/observation.ts). */
export type Observed = Pick<ObservedFace, 'landmarks' | 'happy' | 'yaw' | 'mouthWidth'>;

/** One kind of footage. */
export interface Species {
  readonly name: string;
  /** Makes take number `take`, unless it exists. */
  make(studio: Studio, take: number, chance: Chance): Promise<void>;
}

const COLUMNS = ['file', 'label', 'attack', 'script', 'subject', 'made'] as const;
type Line = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** Where the script of a take comes from: drawn as the service draws it, or taken from the service. */
export type DrawScript = (chance: Chance, drawn?: Drawn) => DrawnScript;

/** What a script may be drawn from; the service's defaults if absent. */
export interface Drawn {
  readonly allowed?: readonly Prompt[];
  readonly level?: LivenessLevel;
  /** What the person said they cannot do. */
  readonly way?: AccessibleWay;
}

/** Makes takes and records them. */
export class Studio {
  readonly #outDir: string;
  readonly root: string;
  readonly cast: Cast;
  readonly sources: Sources;
  readonly draw: DrawScript;
  readonly #models: () => Promise<Models>;

  /** @param models opens the models; called only if a clip's mesh is needed */
  constructor(
    root: string,
    outDir: string,
    cast: Cast,
    sources: Sources,
    draw: DrawScript,
    models: () => Promise<Models>,
  ) {
    this.root = root;
    this.draw = draw;
    this.#outDir = outDir;
    this.cast = cast;
    this.sources = sources;
    this.#models = models;
  }

  /** What each frame of a clip at this rate shows of the face; the previous one while it is lost. Measured once. */
  async observe(path: string, fps: number): Promise<Observed[]> {
    const kept = join(this.#outDir, 'observed', `${basename(path)}-${fps}.json`);
    if (!existsSync(kept)) {
      mkdirSync(dirname(kept), { recursive: true });
      const frames = (await readPictures(path, fps)).map((picture, i) => ({
        ...picture,
        timeMs: (i * 1000) / fps,
      }));
      const seen = await trackFaces(await this.#models(), frames);
      let last = seen.find(({ face }) => face)?.face;
      if (!last) throw new Error(`${path} shows no face`);
      const observed = seen.map(({ face }) => {
        last = face ?? last;
        const { landmarks, happy, yaw, mouthWidth } = last!;
        return {
          happy,
          yaw,
          mouthWidth,
          landmarks: Array.from(landmarks, (value) => Math.round(value * 100) / 100),
        };
      });
      writeFileSync(`${kept}.${process.pid}`, JSON.stringify(observed));
      renameSync(`${kept}.${process.pid}`, kept);
    }
    const read = JSON.parse(readFileSync(kept, 'utf8')) as (Omit<Observed, 'landmarks'> & {
      landmarks: number[];
    })[];
    return read.map((one) => ({ ...one, landmarks: Float32Array.from(one.landmarks) }));
  }

  /** A person's photographs, opened. */
  open(role: Role): Promise<Actor> {
    return openRole(this.root, role);
  }

  /** An existing take: its clip and the script that it answers; null if it does not exist. */
  find(
    species: string,
    number: number,
  ): { path: string; file: string; script: Script; subject: string } | null {
    const lines = join(this.#outDir, species, `${nameOf(number)}.json`);
    if (!existsSync(lines)) return null;
    const [line] = JSON.parse(readFileSync(lines, 'utf8')) as Line[];
    const { file, script, subject } = line!;
    const read = JSON.parse(readFileSync(join(this.#outDir, script), 'utf8')) as Script;
    return { path: join(this.#outDir, file), file, script: read, subject };
  }

  /** Lists another take's clip again under other scripts; nothing is filmed. */
  relist(species: string, number: number, file: string, rows: readonly Row[]): void {
    const folder = join(this.#outDir, species);
    mkdirSync(folder, { recursive: true });
    if (!existsSync(join(folder, `${nameOf(number)}.json`))) this.#list(species, number, file, rows);
  }

  /**
   * Makes one take unless it exists: `film` writes the clip to the given path (WebM or MP4 by `extension`) and returns
   * the rows.
   */
  async take(
    species: string,
    number: number,
    extension: 'webm' | 'mp4',
    film: (path: string, scratch: string) => Promise<Row[]>,
  ): Promise<void> {
    const folder = join(this.#outDir, species);
    const name = nameOf(number);
    const lines = join(folder, `${name}.json`);
    if (existsSync(lines)) return;
    mkdirSync(folder, { recursive: true });
    const scratch = join(folder, `${name}.part`);
    mkdirSync(scratch, { recursive: true });
    const file = `${name}.${extension}`;
    const rows = await film(join(scratch, file), scratch);
    renameSync(join(scratch, file), join(folder, file));
    rmSync(scratch, { recursive: true });
    this.#list(species, number, `${species}/${file}`, rows);
  }

  #list(species: string, number: number, file: string, rows: readonly Row[]): void {
    const name = nameOf(number);
    const written = rows.map((row, i): Line => {
      const script = row.script ? `${species}/${name}-${i}.script.json` : '';
      if (row.script) writeFileSync(join(this.#outDir, script), JSON.stringify(row.script));
      return { ...row, file, script };
    });
    // Written last: if it exists, the take is complete.
    writeFileSync(join(this.#outDir, species, `${name}.json`), JSON.stringify(written));
  }

  /**
   * Lists every take in the folder, including those of earlier runs: footage with a script in manifest.csv, footage for
   * the passive checks alone in manifest-passive.csv.
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
  }
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function nameOf(take: number): string {
  return String(take).padStart(4, '0');
}
