// The operator's console, with the pages of every room.
import { render } from 'preact';
import { FURTHER_PAGES } from '../../src/composition/page/further-pages.ts';
import { App } from './app.tsx';

render(<App furtherPages={FURTHER_PAGES} />, document.getElementById('app')!);
