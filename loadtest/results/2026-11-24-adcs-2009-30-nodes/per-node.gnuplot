set output 'per-node.svg'
set terminal svg size 900,360 font 'sans,12' background '#ffffff'
set key outside bottom center horizontal
set grid ytics
set style data histograms
set style fill solid 0.8
set yrange [0:*]
set title 'What each CA issued'
set xlabel 'CA'
set ylabel 'certificates/s'
plot 'per-node.tsv' using 2:xtic(1) title 'windows shared', '' using 3 title 'windows fixed'
