// asks.mjs LIBRARY: asks the same questions again and again.
const library = process.argv[2];
const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];

const askers = {
	async inquirer() {
		const {default: inquirer} = await import('inquirer');
		await inquirer.prompt([
			{type: 'select', name: 'one', message: 'Pick one', choices: names},
			{type: 'checkbox', name: 'many', message: 'Pick many', choices: names},
			{type: 'input', name: 'text', message: 'Your name'},
		]);
	},
	async clack() {
		const clack = await import('@clack/prompts');
		await clack.select({message: 'Pick one', options: names.map(value => ({value}))});
		await clack.multiselect({message: 'Pick many', required: false, options: names.map(value => ({value}))});
		await clack.text({message: 'Your name'});
	},
	async enquirer() {
		const {default: enquirer} = await import('enquirer');
		await enquirer.prompt([
			{type: 'select', name: 'one', message: 'Pick one', choices: [...names]},
			{type: 'multiselect', name: 'many', message: 'Pick many', choices: [...names]},
			{type: 'input', name: 'text', message: 'Your name'},
		]);
	},
	async prompts() {
		const {default: prompts} = await import('prompts');
		const choices = names.map(title => ({title, value: title}));
		await prompts([
			{type: 'select', name: 'one', message: 'Pick one', choices},
			{type: 'toggle', name: 'on', message: 'Really', active: 'yes', inactive: 'no'},
			{type: 'multiselect', name: 'many', message: 'Pick many', choices},
			{type: 'text', name: 'text', message: 'Your name'},
		]);
	},
};

for (;;) {
	console.clear();
	await askers[library]();
}
