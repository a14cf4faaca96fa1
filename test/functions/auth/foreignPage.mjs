/** What a page can try that is not of the service, in the browser of somebody who is signed in. Runs inside of it. */
globalThis.tryEverything = async (service) => {
  const read = [];
  const keep = (what) => async (answer) => void read.push(`${what}: ${await answer.text()}`);
  const ignore = () => {};
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Foreign' });
  const all = { mode: 'no-cors', credentials: 'include' };
  const cors = { mode: 'cors', credentials: 'include' };
  await Promise.all([
    fetch(`${service}/v1/whoami`, cors).then(keep('cors'), ignore),
    fetch(`${service}/v1/whoami`, all).then(keep('no-cors'), ignore),
    fetch(`${service}/v1/projects`, { ...all, method: 'POST', body }).then(keep('text'), ignore),
    fetch(`${service}/v1/projects`, { ...cors, method: 'POST', headers: json, body }).then(
      keep('json'),
      ignore,
    ),
    fetch(`${service}/v1/auth/session`, { ...cors, method: 'DELETE' }).then(keep('delete'), ignore),
  ]);
  navigator.sendBeacon(`${service}/v1/projects`, new Blob([body], { type: 'text/plain' }));
  const loaded = (element, source) =>
    new Promise((resolve) => {
      element.addEventListener('load', () => resolve());
      element.addEventListener('error', () => resolve());
      document.body.append(element);
      source();
    });
  const image = new Image();
  await loaded(image, () => {
    image.src = `${service}/v1/projects`;
  });
  const script = document.createElement('script');
  await loaded(script, () => {
    script.src = `${service}/v1/projects`;
  });
  const frame = document.createElement('iframe');
  frame.name = 'framed';
  await loaded(frame, () => {
    frame.src = `${service}/v1/projects`;
  });
  try {
    read.push(`frame: ${frame.contentDocument?.body.innerText ?? ''}`.replace(/^frame: $/, ''));
  } catch {}
  const form = Object.assign(document.createElement('form'), {
    method: 'post',
    enctype: 'text/plain',
    target: 'framed',
    action: `${service}/v1/projects`,
  });
  const input = Object.assign(document.createElement('input'), {
    name: '{"name":"Foreign","x":"',
    value: '"}',
  });
  form.append(input);
  document.body.append(form);
  await loaded(frame, () => form.submit());
  await new Promise((resolve) => {
    const socket = new WebSocket(`${service.replace(/^http/, 'ws')}/v1/projects`);
    socket.addEventListener('open', () => {
      read.push('socket');
      resolve();
    });
    socket.addEventListener('error', () => resolve());
  });
  return read.filter((text) => text !== '' && text !== 'no-cors: ' && text !== 'text: ');
};
