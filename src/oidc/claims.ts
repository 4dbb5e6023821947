// The claims that a login's tokens may carry, and the scopes that a request may name.

/** `isScoped`: given with the scope `openid`. `isNamed`: a request's `claims` may ask for it by name. */
const CLAIMS = [
  { name: 'sub', isScoped: true, isNamed: false },
  { name: 'acr', isScoped: true, isNamed: true },
  { name: 'amr', isScoped: true, isNamed: true },
  { name: 'auth_time', isScoped: true, isNamed: true },
  { name: 'iss', isScoped: false, isNamed: true },
  { name: 'verified_claims', isScoped: false, isNamed: true },
] as const;

export type Claim = (typeof CLAIMS)[number]['name'];

/** What every login grants beyond its scopes. */
export const NAMED_CLAIMS: readonly Claim[] = CLAIMS.filter(({ isNamed }) => isNamed).map(({ name }) => name);

/** As the library expects them: what each scope gives, and null for each claim that may be asked for by name. */
export const LIBRARY_CLAIMS: Readonly<Record<string, null | string[]>> = {
  openid: CLAIMS.filter(({ isScoped }) => isScoped).map(({ name }) => name),
  ...Object.fromEntries(NAMED_CLAIMS.map((name) => [name, null])),
};

/** `profile` and `identity_assurance` give nothing; they are accepted because clients ask for them. */
export const SCOPES: readonly string[] = ['openid', 'profile', 'identity_assurance'];
