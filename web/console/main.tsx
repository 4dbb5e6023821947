// The operator's console: signs in, then shows the page that the address names.
import { render } from 'preact';
import { App } from './app.tsx';

render(<App />, document.getElementById('app')!);
