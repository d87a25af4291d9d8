(() => {
  "use strict";
  const form = document.getElementById("filters");
  if (!form) return;
  const count = document.getElementById("count");
  const findings = [...document.querySelectorAll("article.finding")];
  const field = (name) => form.elements.namedItem(name);
  const boxes = () => [...form.querySelectorAll('input[name="severity"]')];

  const apply = () => {
    const severities = new Set(boxes().filter((box) => box.checked).map((box) => box.value));
    const direction = field("direction").value;
    const rule = field("rule").value;
    const stability = field("stability").value;
    const words = field("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const finding of findings) {
      const data = finding.dataset;
      const directions = data.directions.split(" ").map((each) => each.split(":"));
      const fits =
        directions.some(([how, where]) => severities.has(how) && (!direction || where === direction)) &&
        (!rule || data.rule === rule) &&
        (!stability || data.stability === stability) &&
        words.every((word) => data.words.includes(word));
      finding.hidden = !fits;
      if (fits) shown += 1;
    }
    count.value = shown === findings.length ? `${shown} shown` : `${shown} of ${findings.length} shown`;
  };

  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("all").addEventListener("click", () => {
    form.reset();
    apply();
  });
  for (const button of document.querySelectorAll(".matrix button")) {
    button.addEventListener("click", () => {
      form.reset();
      for (const box of boxes()) box.checked = box.value === button.dataset.severity;
      field("direction").value = button.dataset.direction;
      apply();
      document.getElementById("findings").scrollIntoView();
    });
  }

  for (const button of document.querySelectorAll(".rules button")) {
    button.addEventListener("click", () => {
      form.reset();
      field("rule").value = button.dataset.rule;
      apply();
      document.getElementById("findings").scrollIntoView();
    });
  }

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.hidden) {
      form.reset();
      apply();
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", reveal);
  apply();
})();
