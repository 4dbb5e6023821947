// The image under test, built once for each run of a test file. Unchanged layers come from podman's own cache.
import { DEBIAN, makeBaseImages } from './base-images.ts';
import { findObstacle, podmanVerbose } from './containers.ts';
import { ROOT } from './tools.ts';

export const IMAGE = 'localhost/likeness-test';

/** Builds the image; returns what keeps containers from running here, or null if they can run. */
export function buildImage(): string | null {
  if (process.getuid?.() !== 0) return 'networks and volumes of the tests need root';
  makeBaseImages();
  const obstacle = findObstacle(DEBIAN);
  if (obstacle) return obstacle;
  // The host's network, because a build reaches Debian and npm by the names that this machine resolves.
  const flags = ['--isolation=oci', '--network=host', '--pull=never', '-f', 'deploy/Dockerfile', '-t', IMAGE];
  podmanVerbose(['build', '--quiet', ...flags, '.'], ROOT);
  return null;
}
