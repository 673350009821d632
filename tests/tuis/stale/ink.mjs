// A list, a filter and a counter, drawn with Ink, which draws at most thirty
// times a second.
import React, {useState} from 'react';
import {render, Box, Text, useInput} from 'ink';

const items = [...Array(12)].map((_, i) => `entry ${i + 1}`);

function App() {
	const [at, setAt] = useState(0);
	const [text, setText] = useState('');
	const [keys, setKeys] = useState(0);
	useInput((input, key) => {
		setKeys(n => n + 1);
		if (key.downArrow) setAt(i => (i + 1) % items.length);
		else if (key.upArrow) setAt(i => (i + items.length - 1) % items.length);
		else if (key.backspace || key.delete) setText(t => t.slice(0, -1));
		else if (input) setText(t => (t + input).slice(-20));
	});
	return React.createElement(
		Box,
		{flexDirection: 'column', borderStyle: 'round'},
		React.createElement(Text, null, `filter: ${text}`),
		...items.map((item, i) =>
			React.createElement(Text, {key: item, inverse: i === at}, `${i === at ? '>' : ' '} ${item}`)),
		React.createElement(Text, {dimColor: true}, `${keys} keys`));
}

render(React.createElement(App));
