"""Tables of runs from elsewhere, such as the authors' archive, become datasets of this package."""
