// A process that makes presentations one after another, as the run sends them; it ends with the run.
import { resolve } from 'node:path';
import { loadModels, type Models } from '../../src/models/load.ts';
import type { DevCredentials } from '../../test/support/running-service.ts';
import { findCast } from '../attacks/cast.ts';
import { chanceOf } from '../attacks/random.ts';
import { fresh } from '../attacks/shots.ts';
import { findSources } from '../attacks/sources.ts';
import { Studio } from '../attacks/studio.ts';
import { type Ended, FilmedTooLate, presentByClient } from './client.ts';
import { presentInTime } from './in-time.ts';
import type { LaboratorySpecies, Stage } from './laboratory.ts';
import { closeBrowser, presentByPage } from './page/present.ts';
import type { Planned } from './plan.ts';
import { LABORATORY } from './species/table.ts';

/** A booth's settings, passed in `argv[2]`. */
export interface BoothSettings {
  readonly facesDir: string;
  readonly setDir: string;
  readonly keepDir: string;
  readonly modelsDir: string;
}

/** A presentation and the service to present to. */
export interface Order extends Planned {
  readonly url: string;
  readonly credentials: DevCredentials;
  readonly dataDir: string;
  /** The first attempt failed. Its film may have arrived, and would be recognised if the same one came again. */
  readonly repeated: boolean;
}

export type Answer =
  | { readonly status: 'ended'; readonly subject: string; readonly ended: Ended }
  | { readonly status: 'late' | 'failed'; readonly why: string };

const settings = JSON.parse(process.argv[2]!) as BoothSettings;
let models: Promise<Models> | null = null;
const open = () => (models ??= loadModels({ modelsDir: resolve(settings.modelsDir), threads: 1 }));
const sources = findSources(settings.facesDir);
const cast = await findCast(open, settings.facesDir, sources, settings.setDir);
const old = new Studio(settings.facesDir, settings.setDir, cast, sources, fresh, open);
const stage: Stage = {
  root: settings.facesDir,
  cast,
  sources,
  old,
  models: open,
  keepDir: settings.keepDir,
};

process.on('message', (order: Order) => {
  void answer(order).then((said) => process.send!(said));
});
process.on('disconnect', () => void closeBrowser().finally(() => process.exit()));
process.send!({ status: 'ready' });

async function answer(order: Order): Promise<Answer> {
  const species = LABORATORY.find(({ name }) => name === order.species)!;
  try {
    const subject = await species.subject(stage, order.take);
    return { status: 'ended', subject, ended: await present(species, order) };
  } catch (error) {
    return { status: error instanceof FilmedTooLate ? 'late' : 'failed', why: String(error) };
  }
}

function present(species: LaboratorySpecies, order: Order): Promise<Ended> {
  const { take, way } = order;
  const seed = `${species.name} ${take}${order.repeated ? ' repeated' : ''}`;
  if (way === 'in_time') return presentInTime(order, stage, species.inTime!, take, seed);
  return way === 'client'
    ? presentByClient(order, stage, species.client!, take, seed)
    : presentByPage(order, stage, species.page!, take, chanceOf(seed));
}
