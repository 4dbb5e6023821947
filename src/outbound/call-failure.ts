// Maps errors of sockets, TLS and the HTTP parser to the stable codes of a failed call.
import { errors } from 'undici';
import type { CallFailure } from '../contract/delivery.ts';
import { CallError } from './call-error.ts';

const BY_CODE: Readonly<Record<string, CallFailure>> = {
  ECONNREFUSED: 'connect_failed',
  EHOSTUNREACH: 'connect_failed',
  EHOSTDOWN: 'connect_failed',
  ENETUNREACH: 'connect_failed',
  EADDRNOTAVAIL: 'connect_failed',
  EACCES: 'connect_failed',
  ETIMEDOUT: 'connect_failed',
  UND_ERR_CONNECT_TIMEOUT: 'connect_failed',
  ENOTFOUND: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
  EPROTO: 'tls_failed',
  UND_ERR_HEADERS_OVERFLOW: 'malformed_response',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed_response',
};

/** Codes of OpenSSL's certificate verification, as Node names them (tls documentation, X509 certificate errors). */
const CERTIFICATE_CODE =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH)/;

/** The code of an error thrown by the agent. Anything else is `connection_lost`: an established connection broke. */
export function callFailureOf(error: unknown): CallFailure {
  if (error instanceof CallError) return error.reason;
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (CERTIFICATE_CODE.test(code)) return 'tls_failed';
  if (error instanceof errors.HTTPParserError) return 'malformed_response';
  return BY_CODE[code] ?? firstInner(error) ?? 'connection_lost';
}

/** Happy Eyeballs collects the errors of all its attempts in an AggregateError, which may have no code itself. */
function firstInner(error: unknown): CallFailure | undefined {
  const inner = error instanceof AggregateError ? error.errors : [];
  return inner.length > 0 ? callFailureOf(inner[0]) : undefined;
}
