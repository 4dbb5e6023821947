// The faults of a create body that its schema refused: what the schema says, and what the rules across fields say of
// the parts that are well-formed, so that the client hears everything at once.
import type { Caller } from '../../challenge/services.ts';
import type { FieldFault } from '../../contract/problem.ts';
import { InvalidFields } from '../field-faults.ts';
import type { HttpServices } from '../services.ts';

/** All faults of the body, the schema's first. Faults of other parts of the request are thrown on. */
export async function createFaults(
  challenges: HttpServices['challenges'],
  caller: Caller,
  error: Error,
  body: unknown,
): Promise<readonly FieldFault[]> {
  if (!(error instanceof InvalidFields) || error.part !== 'body') throw error;
  const named = new Set(error.faults.map(keyOf));
  const further = await challenges.createFaults(caller, body);
  return [...error.faults, ...further.filter((fault) => !named.has(keyOf(fault)))];
}

const keyOf = (fault: FieldFault) => `${fault.code} ${fault.pointer}`;
