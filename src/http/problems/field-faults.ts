// Validates bodies and query strings with ajv against the contract's schemas, and reports all errors at once as the
// contract's field faults.
import { Ajv, type ErrorObject, type SchemaValidateFunction, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { closest, distance } from 'fastest-levenshtein';
import { NULL_IS_ABSENT } from '../../contract/field-types.ts';
import type { FieldFault, FieldFaultCode } from '../../contract/problem.ts';
import { pointerStep } from './json-pointer.ts';
import { unstorableText } from './text-faults.ts';

/** Most faults that one answer lists; the body limit would allow some hundred thousand. */
const MAX_FAULTS = 200;
/** With more than this share of its characters changed, a name is another one. Chosen, not measured. */
const MISTYPED_SHARE = 1 / 3;
/** Longest unknown field name that a pointer repeats. */
const MAX_POINTER_NAME_CHARS = 128;
/**
 * Most values, objects and lists included, that a body may hold. Up to 80,000 fit into the body limit, and listing all
 * their faults blocks the process for a second. A create request with 100 FeatureIDs and 20 endpoints has some 400.
 */
const MAX_VALUES = 2_500;

type RequestPart = 'body' | 'querystring' | 'params' | 'headers';

/** The faults of one part of a request. Fastify carries it from the validator to the error handler or the route. */
export class InvalidFields extends Error {
  readonly faults: readonly FieldFault[];
  readonly part: RequestPart;

  constructor(faults: readonly FieldFault[], part: RequestPart) {
    super('fields are not valid');
    this.name = 'InvalidFields';
    this.faults = faults;
    this.part = part;
  }
}

const CODES: Readonly<Record<string, FieldFaultCode>> = {
  type: 'wrong_type',
  required: 'required',
  additionalProperties: 'unknown_field',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  maximum: 'too_large',
  exclusiveMaximum: 'too_large',
  minItems: 'too_few',
  maxItems: 'too_many',
  enum: 'not_allowed_value',
  const: 'not_allowed_value',
  pattern: 'invalid_format',
  format: 'invalid_format',
  uniqueItems: 'duplicate',
};

/** Errors of the combinators only repeat what their branches say. */
const COMBINATORS = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not']);

/** Converts ajv's errors to field faults: one per pointer and code, in the order found. Values are never echoed. */
function faultsOf(errors: readonly ErrorObject[], part: RequestPart): FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const error of errors) {
    if (COMBINATORS.has(error.keyword) && errors.length > 1) continue;
    const fault = faultOf(error, part);
    const key = `${fault.code} ${fault.pointer}`;
    if (!faults.has(key)) faults.set(key, fault);
    if (faults.size >= MAX_FAULTS) break;
  }
  return [...faults.values()];
}

function faultOf(error: ErrorObject, part: RequestPart): FieldFault {
  const code = CODES[error.keyword] ?? 'invalid_format';
  const at = error.instancePath;
  if (error.keyword === 'required') {
    return { pointer: at + pointerStep(error.params.missingProperty), code, detail: 'is required' };
  }
  if (error.keyword === 'additionalProperties') {
    const name: string = error.params.additionalProperty;
    const [known, whole] = part === 'querystring' ? ['parameter', 'query'] : ['field', 'object'];
    if (name.length > MAX_POINTER_NAME_CHARS)
      return { pointer: at, code, detail: `contains an unknown ${known}` };
    const detail = `is not a ${known} of this ${whole}${hintOf(name, error)}`;
    return { pointer: at + pointerStep(name), code, detail };
  }
  if (error.keyword === 'enum') {
    const allowed: unknown[] = error.params.allowedValues;
    const wrongType = !allowed.some((value) => typeof value === typeof error.data);
    return {
      pointer: at,
      code: wrongType ? 'wrong_type' : code,
      detail: `must be one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`,
    };
  }
  return { pointer: at, code, detail: detailOf(error) };
}

/** The field that was probably meant. */
function hintOf(name: string, { parentSchema }: ErrorObject): string {
  const known = Object.keys(parentSchema?.properties ?? {});
  if (known.length === 0) return '';
  const nearest = closest(name, known);
  return distance(name, nearest) <= name.length * MISTYPED_SHARE ? `; did you mean \`${nearest}\`?` : '';
}

function detailOf(error: ErrorObject): string {
  const { examples: [example] = [] } = (error.parentSchema ?? {}) as { examples?: unknown[] };
  if (error.keyword === 'pattern' && typeof example === 'string') return `must look like \`${example}\``;
  if (error.keyword === 'type') {
    return `must be ${[error.params.type].flat().join(' or ').replaceAll(',', ' or ')}`;
  }
  // ajv's messages name the rule, never the value.
  return error.message ?? 'is not valid';
}

/** Compiles schemas to checks that return faults and do not throw. Belongs to the HTTP server that made it. */
export class FieldChecks {
  readonly #body: Ajv;
  readonly #text: Ajv;

  /**
   * @param shared schemas with `$id` that others refer to
   * @param allErrors whether to find every fault. False stops at the first one, for routes that anybody may call
   */
  constructor(shared: readonly object[], { allErrors = true }: { allErrors?: boolean } = {}) {
    const options = { allErrors, strict: false, verbose: true, useDefaults: false } as const;
    this.#body = new Ajv({ ...options, coerceTypes: false });
    // Query strings and path parameters are text, so their numbers are parsed from it.
    this.#text = new Ajv({ ...options, coerceTypes: true, useDefaults: true });
    for (const ajv of [this.#body, this.#text]) {
      addFormats.default(ajv);
      refuseUnreadableTimes(ajv);
      removeNulls(ajv);
      for (const schema of shared) ajv.addSchema(schema);
    }
  }

  /** A check of one part of a request, in the form that fastify expects. */
  compile(
    schema: object,
    part: RequestPart,
  ): (data: unknown) => { value: unknown } | { error: InvalidFields } {
    const validate: ValidateFunction = (part === 'body' ? this.#body : this.#text).compile(schema);
    return (data) => {
      if (part === 'body' && holdsMoreThan(data, MAX_VALUES))
        return { error: new InvalidFields([tooManyValues(data)], part) };
      const faults = validate(data) ? [] : faultsOf(validate.errors ?? [], part);
      if (part !== 'headers') faults.push(...unstorableText(data, MAX_FAULTS - faults.length));
      return faults.length > 0 ? { error: new InvalidFields(faults, part) } : { value: data };
    };
  }
}

/** Takes null for leaving a field out, where the field's schema says so. */
function removeNulls(ajv: Ajv): void {
  const validate: SchemaValidateFunction = (_keyword, data, _schema, at) => {
    if (data === null && at) delete at.parentData[at.parentDataProperty];
    return true;
  };
  ajv.addKeyword({ keyword: NULL_IS_ABSENT, modifying: true, errors: false, validate });
}

/** Leap seconds and offsets without minutes are well-formed, but Date cannot parse them, so no query can use them. */
function refuseUnreadableTimes(ajv: Ajv): void {
  const wellFormed = ajv.formats['date-time'] as { validate(text: string): boolean };
  ajv.addFormat('date-time', (text) => wellFormed.validate(text) && !Number.isNaN(Date.parse(text)));
}

/** Whether `root` holds more than `limit` values at any depth. Stops as soon as it does. */
function holdsMoreThan(root: unknown, limit: number): boolean {
  const waiting: object[] = [];
  let count = 1;
  if (typeof root === 'object' && root !== null) waiting.push(root);
  for (let value = waiting.pop(); value && count <= limit; value = waiting.pop()) {
    const inside = Object.values(value);
    count += inside.length;
    if (count <= limit) waiting.push(...inside.filter((item) => typeof item === 'object' && item !== null));
  }
  return count > limit;
}

/** Points to the top-level field that alone holds too many values; to the whole body if no single field does. */
function tooManyValues(body: unknown): FieldFault {
  const [name] = Object.entries(body as object).find(([, value]) => holdsMoreThan(value, MAX_VALUES)) ?? [];
  const pointer = name !== undefined && name.length <= MAX_POINTER_NAME_CHARS ? pointerStep(name) : '';
  return { pointer, code: 'too_many', detail: `must not contain more than ${MAX_VALUES} values` };
}
