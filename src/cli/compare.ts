// `likeness compare`: compares two photographs or videos: score, decision and regions.
import { Command } from 'commander';
import { readConfigOffline } from '../config/read-config.ts';
import { compareTemplates } from '../evaluation/compare.ts';
import { operatingPoint, templatePackId } from '../evaluation/recognition/operating-point.ts';
import type { Models } from '../models/load.ts';
import { JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { EXIT } from './exit-codes.ts';
import { checkMedia, type OpenFeatid, openReference, regionLines, rounded, withModels } from './judging.ts';

/** The `compare` command; exit code 3 if a file has no usable face. */
export function compareCommand(openFeatid?: OpenFeatid): Command {
  return new Command('compare')
    .description(
      'compare the faces of two images or videos: score, decision, regions; if an image has several faces, the central one',
    )
    .argument('<a>', 'an image or a video')
    .argument('<b>', 'an image, a video or a FeatureID')
    .option(...JSON_OPTION)
    .action(async (a: string, b: string, options: { json?: boolean }) => compare(a, b, options, openFeatid));
}

async function compare(
  a: string,
  b: string,
  { json }: { json?: boolean },
  openFeatid?: OpenFeatid,
): Promise<void> {
  await withModels(
    () => checkMedia([a, b]),
    async (models) => {
      const reference = await openReference(b, models, openFeatid, 'central');
      // A FeatureID may be from a pack that is kept only for the FeatureIDs that it made.
      const made = reference.status === 'made' ? reference.template.packId : null;
      const used = withMainPack(models, made);
      const probe = await openReference(a, used, openFeatid, 'central');
      if (probe.status !== 'made') return notCompared(a, probe.reason, json);
      if (reference.status !== 'made') return notCompared(b, reference.reason, json);
      if (probe.template.packId !== made)
        return notCompared(b, `made by ${made}, and ${a} by ${probe.template.packId}`, json);
      const { score, result, likeness_features } = compareTemplates(
        probe.template,
        { id: b, template: reference.template },
        operatingPoint(used.recognisers[0].pack, readConfigOffline(process.env).RECOGNITION_TARGET_FMR),
      );
      writeAnswer(json, { score: rounded(score, 4), result, likeness_features }, [
        `${result}, score ${score.toFixed(3)}`,
        ...regionLines(likeness_features),
      ]);
      return EXIT.done;
    },
  );
}

/** The models with only this recogniser pack; unchanged if it is not among them. */
function withMainPack(models: Models, packId: string | null): Models {
  const found = models.recognisers.find(({ pack }) => templatePackId(pack) === packId);
  return found ? { ...models, recognisers: [found] } : models;
}

function notCompared(file: string, reason: string, json: boolean | undefined): number {
  writeAnswer(json, { file, reason }, [`not compared: ${file}: ${reason}`]);
  return EXIT.notJudged;
}
