// The little Markdown that the interpreter writes: paragraphs, code, strong, emphasis, rules.

function inline(parent: HTMLElement, text: string): void {
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*/g;
  let at = 0;
  const put = (tag: "code" | "strong" | "em", text: string) => {
    const element = document.createElement(tag);
    element.textContent = text;
    parent.append(element);
  };
  for (const match of text.matchAll(pattern)) {
    parent.append(text.slice(at, match.index));
    if (match[1] !== undefined) put("code", match[1]);
    else if (match[2] !== undefined) put("strong", match[2]);
    else if (match[3] !== undefined) put("em", match[3]);
    at = match.index + match[0].length;
  }
  parent.append(text.slice(at));
}

export function markdown(text: string): HTMLElement {
  const whole = document.createElement("div");
  whole.className = "markdown";
  const blocks = text.split(/(```[\s\S]*?```)|\n{2,}/).filter((block) => block?.trim());
  for (const block of blocks) {
    if (block.startsWith("```")) {
      const code = document.createElement("pre");
      code.textContent = block.replace(/^```\w*\n?|\n?```$/g, "");
      whole.append(code);
    } else if (/^-{3,}$/.test(block.trim())) {
      whole.append(document.createElement("hr"));
    } else {
      const paragraph = document.createElement("p");
      inline(paragraph, block.trim());
      whole.append(paragraph);
    }
  }
  return whole;
}
