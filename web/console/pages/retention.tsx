// What is stored, since when, and when it is deleted.
import type { ConsoleRetention } from '../../../src/contract/console.ts';
import type { Api } from '../parts/api.ts';
import { bytesText, countText, Head, Scroller, Time, WhenLoaded } from '../parts/shown.tsx';
import { useLoaded } from '../parts/use.ts';

export function RetentionPage({ api }: { api: Api }) {
  const retention = useLoaded((reading) => api.get<ConsoleRetention>('/retention', reading), 'retention');
  return (
    <>
      <h1>Retention</h1>
      <WhenLoaded from={retention}>
        {(data) => (
          <>
            <p>
              Videos and frames are deleted after <strong>{data.asset_retention_days} days</strong> (
              <code>ASSET_RETENTION_DAYS</code>), results after{' '}
              <strong>{data.result_retention_days} days</strong> (<code>RESULT_RETENTION_DAYS</code>), lines
              of the audit log after <strong>{data.audit_retention_days} days</strong>.
            </p>
            <Scroller name="Stored data">
              <table>
                <Head titles={['What', 'Count', 'Size', 'Oldest']} />
                <tbody>
                  {data.held.map((row) => (
                    <tr key={row.what}>
                      <td>{row.what.replaceAll('_', ' ')}</td>
                      <td class="number">{countText(row.count)}</td>
                      <td class="number">{bytesText(row.bytes)}</td>
                      <td>
                        <Time at={row.oldest} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroller>
          </>
        )}
      </WhenLoaded>
    </>
  );
}
