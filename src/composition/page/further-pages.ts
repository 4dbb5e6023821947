// Pages of the console that belong to rooms which nobody else knows. Built with the console, not with the server.
import { LoginsPage } from '../../oidc/page/logins.tsx';

export const FURTHER_PAGES = [{ path: '/logins', title: 'Logins', page: LoginsPage }];
