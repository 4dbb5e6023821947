// What is stored, since when, and when it is deleted.
import { Code, SimpleGrid } from '@mantine/core';
import type { ConsoleRetention } from '../../../src/contract/console.ts';
import { DataTable } from '../parts/data-table.tsx';
import { PageHead, Section } from '../parts/page.tsx';
import { useApi } from '../parts/signed-in.ts';
import { Tile } from '../parts/tile.tsx';
import { Time } from '../parts/time.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { WhenLoaded } from '../parts/when-loaded.tsx';
import { bytesText, countText, wordsOf } from '../parts/words.ts';

export function RetentionPage() {
  const api = useApi();
  const retention = useLoaded((reading) => api.get<ConsoleRetention>('/retention', reading), 'retention');
  return (
    <>
      <PageHead
        title="Retention"
        about={
          <>
            What is kept and for how long. <Code>ASSET_RETENTION_DAYS</Code> and{' '}
            <Code>RESULT_RETENTION_DAYS</Code> change it.
          </>
        }
      />
      <WhenLoaded from={retention}>
        {(data) => (
          <>
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <Tile
                name="Videos and frames"
                value={`${data.asset_retention_days} days`}
                more="then deleted"
              />
              <Tile name="Results" value={`${data.result_retention_days} days`} more="then deleted" />
              <Tile
                name="Audit log"
                value={`${data.audit_retention_days} days`}
                more="then deleted, line by line"
              />
            </SimpleGrid>
            <Section title="Stored now">
              <DataTable
                name="Stored data"
                rows={data.held}
                idOf={({ what }) => what}
                empty="Nothing is stored."
                columns={[
                  { title: 'What', cell: ({ what }) => wordsOf(what) },
                  { title: 'Count', cell: ({ count }) => countText(count) },
                  { title: 'Size', cell: ({ bytes }) => bytesText(bytes) },
                  { title: 'Oldest', cell: ({ oldest }) => <Time at={oldest} /> },
                ]}
              />
            </Section>
          </>
        )}
      </WhenLoaded>
    </>
  );
}
