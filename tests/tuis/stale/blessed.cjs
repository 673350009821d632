// A list and a box of details that follows a moment after the selection, as in
// programs that look something up.
const blessed = require('blessed');

const screen = blessed.screen({smartCSR: true});
const list = blessed.list({
	parent: screen, width: '50%', height: '100%', border: 'line', keys: true,
	items: [...Array(20)].map((_, i) => `entry ${i + 1}`),
	style: {selected: {inverse: true}},
});
const box = blessed.box({parent: screen, left: '50%', width: '50%', height: '100%', border: 'line'});
let timer;
list.on('select item', (_, i) => {
	clearTimeout(timer);
	timer = setTimeout(() => {
		box.setContent(`details of ${i + 1}`);
		screen.render();
	}, 8);
});
list.focus();
screen.render();
