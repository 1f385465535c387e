// What the pages of TestMoreEditors are made of.
import React from 'react';
import { createRoot } from 'react-dom/client';
import { createEditor, Node } from 'slate';
import { Slate, Editable, withReact } from 'slate-react';
import { Editor as DEditor, EditorState, ContentState } from 'draft-js';
import { Editor as Tip } from '@tiptap/core';
import StarterKit from '@tiptap/starter-kit';
// Each makes an editor in a place, with some lines in it, and gives a function that tells its lines.
globalThis.editors = {
  slate(place, lines) {
    const editor = withReact(createEditor());
    createRoot(place).render(React.createElement(Slate, { editor, initialValue: lines.map(l => ({ type: 'paragraph', children: [{ text: l }] })) }, React.createElement(Editable)));
    return () => editor.children.map(n => Node.string(n)).flatMap(l => l.split('\n'));
  },
  draft(place, lines) {
    let state;
    const App = () => { const [s, set] = React.useState(() => EditorState.createWithContent(ContentState.createFromText(lines.join('\n')))); state = s; return React.createElement(DEditor, { editorState: s, onChange: set }); };
    createRoot(place).render(React.createElement(App));
    return () => state && state.getCurrentContent().getPlainText('\n').split('\n');
  },
  tiptap(place, lines) {
    const e = new Tip({ element: place, extensions: [StarterKit], content: { type: 'doc', content: lines.map(l => ({ type: 'paragraph', content: l ? [{ type: 'text', text: l }] : [] })) } });
    return () => e.state.doc.textBetween(0, e.state.doc.content.size, '\n', '\n').split('\n');
  },
};
