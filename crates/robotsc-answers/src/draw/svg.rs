//! A picture as SVG. layout-rs places the nodes of each automaton; the automata stand one below another.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::{LineStyleKind, StyleAttr};
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use robotsc::internal::drawing::{DrawnPart, EdgeLabel};

use super::walk::Id;
use super::{DrawnProgram, DrawnRule, FAILURE_COLOR, LEGEND, Picture, edge_text};

/// The size of texts on nodes and edges, in pixels.
const FONT_PIXELS: usize = 12;
/// The space around everything, in pixels.
const MARGIN: f64 = 16.0;
/// The height of a line of text, in pixels.
const LINE_HEIGHT: f64 = 22.0;
/// The diameter of a node, which holds the number of a line, in pixels.
const NODE_PIXELS: f64 = 30.0;
/// The mean width of a character of a title, in pixels.
const CHAR_WIDTH: f64 = 8.0;

/// Writes a picture as SVG.
#[must_use]
pub fn text(picture: &Picture) -> String {
    write(picture, false)
}

/// Writes a picture as SVG whose elements have the ids of [`Id`], so that a walk can be shown.
#[must_use]
pub fn text_with_ids(picture: &Picture) -> String {
    write(picture, true)
}

fn write(picture: &Picture, has_ids: bool) -> String {
    let mut canvas = Canvas { has_ids, ..Canvas::default() };
    canvas.line(&picture.title, "title");
    for (number, program) in picture.programs.iter().enumerate() {
        canvas.line(&program.title, "heading");
        for (part_number, part) in program.drawing.parts.iter().enumerate() {
            // Without its last pass, which straightens edges and asserts that boxes do not overlap: they can.
            let (debug, keep_order, keep_places) = (false, false, true);
            graph(program, part, Id { program: number, part: part_number }).do_it(
                debug,
                keep_order,
                keep_places,
                &mut canvas,
            );
            canvas.end_graph();
        }
    }
    for (color, meaning) in LEGEND {
        canvas.legend(color, meaning);
    }
    canvas.finish()
}

/// Returns the graph that layout-rs places. The id and the tooltip of a shape
/// travel as its properties: two lines.
fn graph(program: &DrawnProgram, part: &DrawnPart, id: Id) -> VisualGraph {
    let mut graph = VisualGraph::new(Orientation::LeftToRight);
    let line = Color::fast("black");
    let look = |rule: Option<&DrawnRule>| {
        let fill = Color::fast(DrawnRule::color(rule));
        StyleAttr::new(line, 1, Some(fill), 0, FONT_PIXELS)
    };
    let element = |shape: ShapeKind, rule: Option<&DrawnRule>, id: &str| {
        let properties = format!("{id}\n{}", rule.map_or("", |rule| &rule.text));
        let size = match &shape {
            ShapeKind::Box(text) => Point::new(text.chars().count() as f64 * CHAR_WIDTH + CHAR_WIDTH, LINE_HEIGHT),
            _ => Point::new(NODE_PIXELS, NODE_PIXELS),
        };
        Element::create_with_properties(shape, look(rule), Orientation::LeftToRight, size, properties)
    };
    let arrow = |style: LineStyleKind, text: &str, id: String| {
        let color = if matches!(style, LineStyleKind::Dashed) { Color::fast(FAILURE_COLOR) } else { line };
        let look = StyleAttr::new(color, 1, None, 0, FONT_PIXELS);
        let properties = format!("{id}\n");
        Arrow::with_properties(LineEndKind::None, LineEndKind::Arrow, style, text, &look, properties, &None, &None)
    };
    let mut handles = BTreeMap::new();
    let start = graph.add_node(element(ShapeKind::new_box("start"), None, &id.start()));
    for node in &part.nodes {
        let rule = program.rule(node.rule);
        let label = rule.map_or("", |rule| &rule.line);
        let shape = if node.is_scan { ShapeKind::new_double_circle(label) } else { ShapeKind::new_circle(label) };
        let handle = graph.add_node(element(shape, rule, &id.state(node.number)));
        handles.insert(node.number, handle);
        if let Some(rule) = program.rule(node.rule_at_end) {
            let end = graph.add_node(element(ShapeKind::new_box(&rule.line), Some(rule), &id.end(node.number)));
            graph.add_edge(arrow(LineStyleKind::Normal, "end", id.exit(node.number)), handle, end);
        }
    }
    if let Some(first) = handles.get(&0) {
        graph.add_edge(arrow(LineStyleKind::Normal, "", id.entry()), start, *first);
    }
    for (number, edge) in part.edges.iter().enumerate() {
        let Some(from) = handles.get(&edge.from).copied() else { continue };
        let to = edge.to.and_then(|to| handles.get(&to).copied());
        let to = to.unwrap_or_else(|| graph.add_node(element(ShapeKind::new_box("no match"), None, "")));
        let style = if edge.label == EdgeLabel::Failure { LineStyleKind::Dashed } else { LineStyleKind::Normal };
        // A node that falls back to itself only skips a byte: its double border shows that.
        if from != to || edge.label != EdgeLabel::Failure {
            graph.add_edge(arrow(style, &edge_text(&edge.label), id.edge(number)), from, to);
        }
    }
    graph
}

/// An SVG that grows downwards.
#[derive(Debug, Default)]
struct Canvas {
    /// Whether elements have ids.
    has_ids: bool,
    /// The last id: a double circle is two shapes with the same properties.
    last_id: String,
    shapes: String,
    /// Texts of the current graph: they are written after the edges, which would cross them.
    texts: String,
    /// Where the current graph begins, and how far everything reaches, in pixels.
    top: f64,
    bottom: f64,
    right: f64,
}

impl Canvas {
    /// Adds a line of text below everything.
    fn line(&mut self, text: &str, class: &str) {
        self.bottom += LINE_HEIGHT;
        let y = self.bottom;
        let _ = writeln!(self.shapes, "<text class=\"{class}\" x=\"{MARGIN}\" y=\"{y}\">{}</text>", escaped(text));
        self.right = self.right.max(text.chars().count() as f64 * CHAR_WIDTH);
        self.bottom += LINE_HEIGHT / 2.0;
        self.top = self.bottom;
    }

    /// Returns the id of a shape as an attribute, and its tooltip as an element.
    fn named(&mut self, properties: Option<String>) -> (String, String) {
        let properties = properties.unwrap_or_default();
        let (id, tooltip) = properties.split_once('\n').unwrap_or_default();
        let mut attribute = String::new();
        if self.has_ids && !id.is_empty() && id != self.last_id {
            attribute = format!(" id=\"{id}\"");
            id.clone_into(&mut self.last_id);
        }
        let title = if tooltip.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(tooltip)) };
        (attribute, title)
    }

    /// Adds a line of the legend.
    fn legend(&mut self, color: &str, meaning: &str) {
        let y = self.bottom;
        let _ = writeln!(
            self.shapes,
            "<rect x=\"{MARGIN}\" y=\"{y}\" width=\"14\" height=\"14\" fill=\"{color}\" stroke=\"black\"/>\n\
             <text class=\"legend\" x=\"{}\" y=\"{}\">{}</text>",
            MARGIN + LINE_HEIGHT,
            y + 12.0,
            escaped(meaning)
        );
        self.right = self.right.max(meaning.chars().count() as f64 * CHAR_WIDTH);
        self.bottom += LINE_HEIGHT;
    }

    /// Ends a graph: what follows stands below it.
    fn end_graph(&mut self) {
        self.shapes.push_str(&self.texts);
        self.texts.clear();
        self.bottom += LINE_HEIGHT;
        self.top = self.bottom;
    }

    /// Returns a point of the current graph as a point of the picture, which grows to hold it.
    fn place(&mut self, point: Point) -> (f64, f64) {
        let (x, y) = (point.x + MARGIN, point.y + self.top);
        self.right = self.right.max(x);
        self.bottom = self.bottom.max(y);
        (x, y)
    }

    fn finish(self) -> String {
        let (width, height) = ((self.right + 2.0 * MARGIN).ceil(), (self.bottom + MARGIN).ceil());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n\
             <defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" \
             markerHeight=\"7\" orient=\"auto\"><path d=\"M 0 1 L 10 5 L 0 9 z\"/></marker></defs>\n\
             <style>text {{ font-family: Helvetica, Arial, sans-serif; font-size: {FONT_PIXELS}px; }} \
             text.title {{ font-size: 16px; font-weight: bold; }} text.heading {{ font-size: 14px; }} \
             text.label {{ font-family: monospace; text-anchor: middle; dominant-baseline: central; \
             paint-order: stroke; stroke: white; stroke-width: 4px; }} \
             text.node {{ text-anchor: middle; dominant-baseline: central; }} \
             path.edge {{ fill: none; }}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n{}</svg>\n",
            self.shapes
        )
    }
}

impl RenderBackend for Canvas {
    fn draw_rect(
        &mut self,
        xy: Point,
        size: Point,
        look: &StyleAttr,
        properties: Option<String>,
        _: Option<ClipHandle>,
    ) {
        let (id, title) = self.named(properties);
        let (x, y) = self.place(xy);
        self.place(Point::new(xy.x + size.x, xy.y + size.y));
        let _ = writeln!(
            self.shapes,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" {}{}>{}</rect>",
            size.x,
            size.y,
            paint(look),
            id,
            title
        );
    }

    fn draw_line(&mut self, start: Point, stop: Point, look: &StyleAttr, properties: Option<String>) {
        let (id, title) = self.named(properties);
        let ((x1, y1), (x2, y2)) = (self.place(start), self.place(stop));
        let _ = writeln!(
            self.shapes,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {}{}>{}</line>",
            paint(look),
            id,
            title
        );
    }

    fn draw_circle(&mut self, xy: Point, size: Point, look: &StyleAttr, properties: Option<String>) {
        let (id, title) = self.named(properties);
        let (x, y) = self.place(xy);
        self.place(Point::new(xy.x + size.x / 2.0, xy.y + size.y / 2.0));
        let _ = writeln!(
            self.shapes,
            "<ellipse cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{:.1}\" ry=\"{:.1}\" {}{}>{}</ellipse>",
            size.x / 2.0,
            size.y / 2.0,
            paint(look),
            id,
            title
        );
    }

    fn draw_text(&mut self, xy: Point, text: &str, look: &StyleAttr) {
        if text.is_empty() {
            return;
        }
        let (x, y) = self.place(xy);
        // Nodes have a fill, the texts of edges have none.
        let class = if look.fill_color.is_some() { "node" } else { "label" };
        let _ = writeln!(self.texts, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text));
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        dashed: bool,
        head: (bool, bool),
        look: &StyleAttr,
        properties: Option<String>,
        text: &str,
    ) {
        let [first, second, rest @ ..] = path else { return };
        let (id, title) = self.named(properties);
        let mut curve = String::new();
        let (x, y) = self.place(first.0);
        let _ = write!(curve, "M {x:.1} {y:.1} C");
        for point in [first.1, second.0, second.1] {
            let (x, y) = self.place(point);
            let _ = write!(curve, " {x:.1} {y:.1}");
        }
        for (control, point) in rest {
            let ((x1, y1), (x, y)) = (self.place(*control), self.place(*point));
            let _ = write!(curve, " S {x1:.1} {y1:.1} {x:.1} {y:.1}");
        }
        let dash = if dashed { " stroke-dasharray=\"5 4\"" } else { "" };
        let start = if head.0 { " marker-start=\"url(#arrow)\"" } else { "" };
        let end = if head.1 { " marker-end=\"url(#arrow)\"" } else { "" };
        let _ = writeln!(
            self.shapes,
            "<path class=\"edge\" d=\"{curve}\" stroke=\"{}\"{dash}{start}{end}{id}>{title}</path>",
            web(look.line_color)
        );
        self.draw_text(second.0, text, look);
    }

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        // Only records with rounded corners are clipped; there are none.
        0
    }
}

/// Returns the colours of a shape.
fn paint(look: &StyleAttr) -> String {
    let fill = look.fill_color.map_or_else(|| "none".to_owned(), web);
    format!("fill=\"{fill}\" stroke=\"{}\" stroke-width=\"{}\"", web(look.line_color), look.line_width)
}

/// Returns a colour without its opacity, which not every reader of SVG knows in this form.
fn web(color: Color) -> String {
    color.to_web_color().chars().take("#rrggbb".len()).collect()
}

/// Returns a text as XML text.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
