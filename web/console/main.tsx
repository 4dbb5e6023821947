// The operator's console, with the pages of every room.
import { render } from 'preact';
import { App } from './app.tsx';
import { LoginsPage } from './login/logins.tsx';

const FURTHER_PAGES = [{ path: '/logins', title: 'Logins', page: LoginsPage }];

render(<App furtherPages={FURTHER_PAGES} />, document.getElementById('app')!);
