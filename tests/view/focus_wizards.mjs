// One question as a library for wizards asks it: focus_wizards.mjs LIBRARY KIND.
// Imports are found from the working directory, where record_focus.py links
// node_modules.
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const need = createRequire(process.cwd() + '/here.js');
const load = async name => import(pathToFileURL(need.resolve(name)));
const fruits = ['Apple', 'Banana', 'Cherry', 'Date'];
const message = 'Which fruit?';

async function clack(kind) {
	const ask = await load('@clack/prompts');
	const options = fruits.map(label => ({label, value: label}));
	await {
		select: () => ask.select({message, options}),
		multiselect: () => ask.multiselect({message, options}),
		confirm: () => ask.confirm({message: 'Go on?'}),
		text: () => ask.text({message: 'Your name?', placeholder: 'anonymous'}),
		autocomplete: () => ask.autocomplete({message, options}),
		group: () => ask.groupMultiselect({message, options: {Red: options.slice(0, 2), Dark: options.slice(2)}}),
	}[kind]();
}

async function inquirer(type) {
	const {prompt} = (await load('inquirer')).default;
	const more = {
		expand: {choices: fruits.map(name => ({name, value: name, key: name[0].toLowerCase()}))},
		search: {source: async term => fruits.filter(name => name.toLowerCase().includes(term ?? ''))},
	};
	await prompt([{name: 'it', type, message, choices: fruits, ...more[type]}]);
}

async function enquirer(type) {
	const {prompt} = need('enquirer');
	const more = {
		toggle: {message: 'Go on?', enabled: 'Yes', disabled: 'No'},
		form: {message: 'Who?', choices: ['first', 'last', 'city'].map(name => ({name, message: name}))},
	};
	await prompt({name: 'it', type, message, choices: fruits, ...more[type]});
}

async function prompts(type) {
	const more = {toggle: {message: 'Go on?', active: 'yes', inactive: 'no', initial: true}};
	const choices = fruits.map(title => ({title, value: title}));
	await need('prompts')({name: 'it', type, message, choices, ...more[type]});
}

async function ink(kind) {
	const {default: React} = await load('react');
	const {render, Box, Text, useInput} = await load('ink');
	const {default: SelectInput} = await load('ink-select-input');
	const {default: TextInput} = await load('ink-text-input');
	const h = React.createElement;
	const kinds = {
		select: () => h(SelectInput, {items: fruits.map(label => ({label, value: label}))}),
		text() {
			const [value, onChange] = React.useState('');
			return h(Box, {borderStyle: 'round'}, h(Text, null, 'Your name: '), h(TextInput, {value, onChange}));
		},
		inverse() {
			const [at, setAt] = React.useState(0);
			useInput((_, key) => setAt(i => (i + (key.downArrow ? 1 : 0)) % 4));
			return h(Box, {flexDirection: 'column', borderStyle: 'round'}, fruits.map((name, i) =>
				h(Text, {key: name, inverse: i === at}, `${i === at ? '>' : ' '} ${name}`)));
		},
		tabs() {
			const [at, setAt] = React.useState(0);
			useInput((_, key) => setAt(i => (i + (key.rightArrow ? 1 : 0)) % 4));
			return h(Box, {flexDirection: 'column'},
				h(Box, {gap: 2}, fruits.map((name, i) => h(Text, {key: name, inverse: i === at}, ` ${name} `))),
				h(Text, null, 'What there is to know about it.'));
		},
	};
	render(h(kinds[kind]));
}

async function blessed(kind) {
	const library = need('blessed');
	const screen = library.screen({smartCSR: true});
	const selected = {selected: {inverse: true}};
	const place = {parent: screen, keys: true, top: 1, left: 2, width: 30, height: 8, border: 'line'};
	const kinds = {
		list: () => library.list({...place, style: selected, items: fruits}).focus(),
		bar: () => library.listbar({...place, height: 3, width: 60, style: selected, autoCommandKeys: false,
			commands: Object.fromEntries(fruits.map(name => [name, {callback() {}}]))}).focus(),
		table: () => library.listtable({...place, width: 40, style: {cell: {selected: {inverse: true}}, header: {bold: true}},
			rows: [['fruit', 'count'], ...fruits.map((name, i) => [name, String(i)])]}).focus(),
		form() {
			const form = library.form({...place, width: 40, height: 12});
			const style = {focus: {bg: 'blue'}};
			library.checkbox({parent: form, keys: true, top: 1, left: 1, content: 'wash', style});
			library.checkbox({parent: form, keys: true, top: 2, left: 1, content: 'peel', style});
			library.button({parent: form, keys: true, top: 5, left: 1, shrink: true, padding: {left: 1, right: 1},
				content: 'Eat', style: {bg: 'green', focus: {bg: 'red'}}});
			library.button({parent: form, keys: true, top: 5, left: 12, shrink: true, padding: {left: 1, right: 1},
				content: 'Cancel', style: {bg: 'green', focus: {bg: 'red'}}});
			form.focus();
			form.focusNext();
		},
	};
	kinds[kind]();
	screen.key('C-c', () => process.exit());
	screen.render();
}

const [library, kind] = process.argv.slice(2);
await {clack, inquirer, enquirer, prompts, ink, blessed}[library](kind);
