import { render } from 'preact';
import { App } from './app/App.tsx';
import { startRouter } from './kit/router.ts';

const root = document.getElementById('app');
startRouter();
if (root) render(<App />, root);
