// Run by node on this machine and in the image: decodes every clip of a folder with the service's own code, and prints
// the results.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const [root, folder] = process.argv.slice(2);
const { decodeClip } = await import(join(root, 'dist/evaluation/video/decode.js'));
const { DEFAULT_SETTINGS } = await import(join(root, 'dist/evaluation/settings.js'));

const seen = {};
for (const name of readdirSync(folder).sort()) {
  let [frames, sum] = [0, 0];
  const result = await decodeClip(join(folder, name), DEFAULT_SETTINGS.video, async (all) => {
    for await (const frame of all) {
      frames += 1;
      for (let at = 0; at < frame.rgb.length; at += 97) sum += frame.rgb[at];
    }
  });
  const { codec, width, height, sourceFrameCount } = result.clip ?? {};
  seen[name] = { ...result, clip: undefined, codec, width, height, sourceFrameCount, frames, sum };
}
console.log(JSON.stringify(seen));
