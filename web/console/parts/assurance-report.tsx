// The assurance report as a download, made when it is asked for.
import { Button } from '@mantine/core';
import { useRefusal } from './signed-in.ts';

const ADDRESS = '/console/api/assurance';

export function AssuranceReport() {
  const refusal = useRefusal('operator');
  if (refusal !== null)
    return (
      <Button disabled title={refusal}>
        Assurance report
      </Button>
    );
  return (
    <Button component="a" href={ADDRESS} download>
      Assurance report
    </Button>
  );
}
