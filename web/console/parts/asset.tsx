// A video or frame of a challenge. Nothing is fetched before the operator asks: every view goes into the audit log.
import { Image, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ConsoleAsset } from '../../../src/contract/console.ts';
import { ActionButton } from './action-button.tsx';
import { useApi } from './signed-in.ts';
import { Time } from './time.tsx';
import { useAction } from './use-action.ts';
import { bytesText } from './words.ts';

export function Asset({ challengeId, asset }: { challengeId: string; asset: ConsoleAsset }) {
  const api = useApi();
  const { busy, run } = useAction();
  const [url, setUrl] = useState<string | null>(null);
  const name = asset.kind === 'best_frame' ? 'best frame' : 'video';
  const show = () =>
    run(
      () => api.send<{ url: string }>('POST', `/challenges/${challengeId}/assets/${asset.asset_id}/link`),
      (link) => {
        const { pathname, search } = new URL(link.url);
        setUrl(pathname + search);
      },
    );
  /** The link is valid for some minutes only. */
  const ended = () => setUrl(null);
  return (
    <Stack gap="xs" align="flex-start">
      {url === null && (
        <ActionButton label={`Show the ${name}`} needs="operator" loading={busy} press={show} />
      )}
      {url && asset.kind === 'best_frame' && (
        <Image src={url} w="auto" maw="100%" alt="Best frame of the capture" onError={ended} />
      )}
      {url && asset.kind === 'liveness_video' && (
        <video src={url} controls muted playsInline style={{ maxWidth: '100%' }} onError={ended} />
      )}
      <Text size="sm" c="dimmed">
        {asset.mime_type}, {bytesText(asset.size_bytes)}
        {asset.deleted_after && (
          <>
            , deleted after <Time at={asset.deleted_after} />
          </>
        )}
      </Text>
    </Stack>
  );
}
