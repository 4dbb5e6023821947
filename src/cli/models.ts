// `likeness models compile`: the set-up step that compiles the weights in npm packages to ONNX files.
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { compileModels } from '../compile-models/compile.ts';
import { readConfigOffline } from '../config/read-config.ts';

/** The `models` command. */
export function modelsCommand(): Command {
  return new Command('models').description('the face models').addCommand(
    new Command('compile')
      .description('compile the weights inside npm packages to ONNX files in build/models')
      .action(async () => {
        await compileModels({
          nodeModulesDir: join(resolve(import.meta.dirname, '..', '..'), 'node_modules'),
          outDir: readConfigOffline(process.env).modelsDir,
          onProgress: ({ model, done, total }) => {
            if (model) process.stderr.write(`likeness: model ${done + 1} of ${total}: ${model}\n`);
          },
        });
      }),
  );
}
