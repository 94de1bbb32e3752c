// The corner response of the structure tensor, whose elements are mean products of the gradient.
uniform vec2 PREFIX(measure);  // measure (0 Harris, 1 Noble, 2 Shi and Tomasi); sensitivity

vec4 EFFECT(vec4 color, vec2 position)
{
    float both = 2.0 * color.b - 1.0;
    float sum = color.r + color.g;
    float determinant = color.r * color.g - both * both;
    float value = sqrt(max(determinant - 0.04 * sum * sum, 0.0));
    if (PREFIX(measure).x > 0.5)
        value = sum > 0.0 ? 2.0 * determinant / sum : 0.0;
    if (PREFIX(measure).x > 1.5)
        value = 0.5 * (sum - sqrt((color.r - color.g) * (color.r - color.g) + 4.0 * both * both));
    return vec4(vec3(clamp(value * PREFIX(measure).y, 0.0, 1.0)), color.a);
}
