/// A place on the canvas, counted from 0 at the top left.
public struct Point: Hashable, Sendable {
  /// Column from the left edge.
  public var x: Int
  /// Row from the top edge.
  public var y: Int

  /// A place `x` columns from the left and `y` rows from the top.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// Columns and rows; neither is negative.
public struct Size: Hashable, Sendable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int

  /// A size; negative numbers become 0.
  public init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
  }
}

/// A rectangle of cells. Parts that are taken from one never reach outside it, so a screen that is too small shows less
/// and nothing else happens.
public struct Rect: Hashable, Sendable {
  /// Left column.
  public let x: Int
  /// Top row.
  public let y: Int
  /// Columns, not negative.
  public let width: Int
  /// Rows, not negative.
  public let height: Int

  /// A rectangle; a negative width or height becomes 0.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// The rectangle of a size at the top left.
  public init(_ size: Size) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The top left place.
  public var origin: Point { Point(x: x, y: y) }
  /// Width and height.
  public var size: Size { Size(width: width, height: height) }
  /// First column right of the rectangle.
  public var right: Int { x + width }
  /// First row under the rectangle.
  public var bottom: Int { y + height }
  /// True if it holds no cell.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// True if the place lies inside.
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < right && point.y >= y && point.y < bottom
  }

  /// What both rectangles cover.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(x: left, y: top, width: min(right, other.right) - left, height: min(bottom, other.bottom) - top)
  }

  /// Row `index` from the top; empty if there is none.
  public func row(_ index: Int) -> Rect { rows(index, 1) }

  /// `count` rows from row `first` on, as far as there are any.
  public func rows(_ first: Int, _ count: Int) -> Rect {
    Rect(x: x, y: y + first, width: width, height: count).intersection(self)
  }

  /// `count` columns from column `first` on, as far as there are any.
  public func columns(_ first: Int, _ count: Int) -> Rect {
    Rect(x: x + first, y: y, width: count, height: height).intersection(self)
  }

  /// The upper `height` rows and the rest.
  public func splitTop(_ height: Int) -> (top: Rect, rest: Rect) {
    (rows(0, height), rows(min(height, self.height), self.height))
  }

  /// The lower `height` rows and the rest above them.
  public func splitBottom(_ height: Int) -> (bottom: Rect, rest: Rect) {
    let kept = max(0, self.height - max(0, height))
    return (rows(kept, self.height), rows(0, kept))
  }

  /// The right `width` columns and the rest.
  public func splitRight(_ width: Int) -> (right: Rect, rest: Rect) {
    let kept = max(0, self.width - max(0, width))
    return (columns(kept, self.width), columns(0, kept))
  }

  /// The rectangle without a margin of `columns` left and right and `rows` above and below.
  public func inset(columns: Int, rows: Int) -> Rect {
    Rect(x: x + columns, y: y + rows, width: width - 2 * columns, height: height - 2 * rows).intersection(self)
  }

  /// A rectangle of at most `size` in the middle.
  public func centred(_ size: Size) -> Rect {
    let width = min(size.width, self.width)
    let height = min(size.height, self.height)
    return Rect(x: x + (self.width - width) / 2, y: y + (self.height - height) / 2, width: width, height: height)
  }
}
