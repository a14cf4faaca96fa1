/** The search of `/docs`: it leaves the entries of the contents that have all words which are typed. */
const contents = document.querySelector('nav');
const entries = [...contents.querySelectorAll('li')].map((item) => ({
  item,
  text: item.textContent.toLowerCase(),
}));
const lists = [...contents.querySelectorAll('ul')];

const field = document.createElement('input');
field.type = 'search';
field.className = 'search';
field.placeholder = 'Search methods, paths, summaries';
field.setAttribute('aria-label', 'Search the contents');
const found = document.createElement('p');
found.className = 'hint';
found.setAttribute('role', 'status');
contents.prepend(field, found);

field.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { item, text } of entries) {
    item.hidden = !words.every((word) => text.includes(word));
    if (!item.hidden) count++;
  }
  for (const list of lists) {
    const isEmpty = list.querySelector('li:not([hidden])') === null;
    list.hidden = isEmpty;
    list.previousElementSibling.hidden = isEmpty;
  }
  found.textContent = words.length === 0 ? '' : count === 0 ? 'No entry has these words.' : `${count} found`;
});

field.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') contents.querySelector('li:not([hidden]) a')?.click();
});
