// For commands that need the services, not only the database.
import type { Foundation } from './foundation.ts';
import { composeServices, type Services } from './services.ts';
import { withFoundation } from './with-foundation.ts';

/** Runs `work` with the services of the deployment that the environment describes, as {@link withFoundation} does. */
export function withServices<T>(
  work: (services: Services, foundation: Foundation) => Promise<T>,
): Promise<T> {
  return withFoundation(async (foundation) => {
    const services = composeServices(foundation);
    try {
      return await work(services, foundation);
    } finally {
      await services.close();
    }
  });
}
