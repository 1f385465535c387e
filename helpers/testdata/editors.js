// What the pages of TestEditors are made of; esbuild bundles it with the packages of npm_test.go.
import { EditorView, basicSetup } from 'cm6';
import { javascript } from '@codemirror/lang-javascript';
import { EditorState } from 'prosemirror-state';
import { EditorView as ProseView } from 'prosemirror-view';
import { DOMParser, Schema } from 'prosemirror-model';
import { schema as basic } from 'prosemirror-schema-basic';
import { addListNodes } from 'prosemirror-schema-list';
import { exampleSetup } from 'prosemirror-example-setup';
import * as lexical from 'lexical';
import { registerRichText, HeadingNode, QuoteNode } from '@lexical/rich-text';
import Quill from 'quill';

// Each makes an editor in a place, with some lines in it, and gives a function that tells its lines.
globalThis.editors = {
  codemirror6(place, lines) {
    const view = new EditorView({ doc: lines.join('\n'), extensions: [basicSetup, javascript()], parent: place });
    return () => view.state.doc.toString().split('\n');
  },
  prosemirror(place, lines) {
    const schema = new Schema({ nodes: addListNodes(basic.spec.nodes, 'paragraph block*', 'block'), marks: basic.spec.marks });
    const doc = document.createElement('div');
    doc.append(...lines.map(l => Object.assign(document.createElement('p'), { textContent: l })));
    const view = new ProseView(place, { state: EditorState.create({ doc: DOMParser.fromSchema(schema).parse(doc), plugins: exampleSetup({ schema, menuBar: false }) }) });
    return () => view.state.doc.textBetween(0, view.state.doc.content.size, '\n', '\n').split('\n');
  },
  lexical(place, lines) {
    const root = Object.assign(document.createElement('div'), { contentEditable: 'true' });
    place.append(root);
    const editor = lexical.createEditor({ nodes: [HeadingNode, QuoteNode], onError: e => { throw e } });
    editor.setRootElement(root);
    registerRichText(editor);
    editor.update(() => lexical.$getRoot().clear().append(...lines.map(l => lexical.$createParagraphNode().append(lexical.$createTextNode(l)))), { discrete: true });
    return () => editor.getEditorState().read(() => lexical.$getRoot().getChildren().flatMap(c => c.getTextContent().split('\n')));
  },
  quill(place, lines) {
    const quill = new Quill(place.appendChild(document.createElement('div')), { theme: 'snow' });
    quill.setText(lines.join('\n') + '\n');
    return () => quill.getText().replace(/\n$/, '').split('\n');
  },
};
